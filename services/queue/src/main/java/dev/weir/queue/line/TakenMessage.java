package dev.weir.queue.line;

import dev.weir.queue.Delivery;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.line.DetachedMessage.RawBody;

/**
 * A message that was taken out of its waiting place, together with the place where it is: an index
 * in a packet, or a record of its own ({@link DetachedMessage}). A message that was to leave its
 * packet and is delivered before that was written has both; it is still in its packet then. Guarded
 * by its queue's lock, except for the methods of {@link Delivery} that consumers call.
 *
 * @param <T> the message type
 */
public final class TakenMessage<T> implements Delivery<T> {
  /** Null for a message that has left its packet. */
  private final Packet<T> packet;

  private final int index;

  /** Null for a message that never left its packet, nor was to leave it. */
  private final DetachedMessage<T> detached;

  /** The message, or a {@link RawBody}, which is never delivered. */
  private final Object body;

  private final Object attachment;
  private boolean ended;

  /** Id of the key queue that this message blocks until it is done with, 0 for none. */
  long blockedKeyQueue;

  TakenMessage(Packet<T> packet, int index, Object body, Object attachment) {
    this.packet = packet;
    this.index = index;
    this.detached = null;
    this.body = body;
    this.attachment = attachment;
  }

  TakenMessage(DetachedMessage<T> detached) {
    this.packet = null;
    this.index = 0;
    this.detached = detached;
    this.body = detached.body();
    this.attachment = detached.attachment;
  }

  /** A message that was to leave its packet, and did not. */
  private TakenMessage(Packet<T> packet, int index, DetachedMessage<T> detached) {
    this.packet = packet;
    this.index = index;
    this.detached = detached;
    this.body = detached.body();
    this.attachment = detached.attachment;
  }

  /** The next delivery of this message, which has not left its place. */
  TakenMessage<T> again(DetachedMessage<T> itself) {
    return packet == null ? new TakenMessage<>(itself) : new TakenMessage<>(packet, index, itself);
  }

  @Override
  @SuppressWarnings("unchecked") // only messages are delivered
  public T message() {
    return (T) body;
  }

  Object body() {
    return body;
  }

  @Override
  public Object attachment() {
    return attachment;
  }

  @Override
  public MessageOptions messageOptions() {
    MessageOptions given = options();
    return given == null ? MessageOptions.NONE : given;
  }

  @Override
  public long sequence() {
    return packet == null ? detached.sequence : packet.firstSequence + index;
  }

  @Override
  public int deliveryCount() {
    return packet == null ? detached.deliveries : packet.deliveries(index);
  }

  @Override
  public int failures() {
    return detached == null ? 0 : detached.failures;
  }

  @Override
  public long dueMs() {
    return detached == null || detached.dueMs == 0
        ? messageOptions().notBeforeMs()
        : detached.dueMs;
  }

  /** Ends the delivery; false if it has ended before. */
  boolean end() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  /** Null for a message that has left its packet. */
  Packet<T> packet() {
    return packet;
  }

  int index() {
    return index;
  }

  DetachedMessage<T> detached() {
    return detached;
  }

  /** The record of its own; a message that is still in its packet gets a new one. */
  DetachedMessage<T> detach() {
    if (detached == null) {
      return DetachedMessage.of(this);
    }
    detached.deliveries = deliveryCount();
    return detached;
  }

  /** Null for none. */
  MessageOptions options() {
    return detached == null ? packet.options(index) : detached.options;
  }

  /** True if a crash may have ended a delivery of this message that was not counted. */
  boolean isSuspect() {
    return packet == null ? detached.suspect : packet.suspect;
  }

  /** True while the delivery count, or what else changed with it, is to be written. */
  boolean isDirty() {
    return packet == null ? detached.dirty : packet.dirty;
  }

  int sizeBytes() {
    return detached == null ? packet.sizes[index] : detached.sizeBytes;
  }

  boolean isTransient() {
    return detached == null ? packet.isTransient(index) : detached.isTransient;
  }
}
