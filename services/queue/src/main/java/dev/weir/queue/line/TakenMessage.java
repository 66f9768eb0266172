package dev.weir.queue.line;

import dev.weir.queue.Delivery;
import dev.weir.queue.MessageOptions;

/**
 * A message that was taken out of its waiting place, together with the place where it is: an index
 * in a packet, or a record of its own ({@link SideMessage}). A message that was to leave its packet
 * and is delivered before that was written has both; it is still in its packet then. Guarded by its
 * queue's lock, except for the methods of {@link Delivery} that consumers call.
 *
 * @param <T> the message type
 */
public final class TakenMessage<T> implements Delivery<T> {
  /** Null for a message that has left its packet. */
  private final Packet<T> packet;

  private final int index;

  /** Null for a message that never left its packet, nor was to leave it. */
  private final SideMessage<T> side;

  private final T message;
  private final Object attachment;
  private boolean ended;

  /** Id of the key queue that this message blocks until it is done with, 0 for none. */
  long blockedKeyQueue;

  TakenMessage(Packet<T> packet, int index, T message, Object attachment) {
    this.packet = packet;
    this.index = index;
    this.side = null;
    this.message = message;
    this.attachment = attachment;
  }

  TakenMessage(SideMessage<T> side) {
    this.packet = null;
    this.index = 0;
    this.side = side;
    this.message = side.message;
    this.attachment = side.attachment;
  }

  /** A message that was to leave its packet, and did not. */
  private TakenMessage(Packet<T> packet, int index, SideMessage<T> side) {
    this.packet = packet;
    this.index = index;
    this.side = side;
    this.message = side.message;
    this.attachment = side.attachment;
  }

  /** The next delivery of this message, which has not left its place. */
  TakenMessage<T> again(SideMessage<T> itself) {
    return packet == null ? new TakenMessage<>(itself) : new TakenMessage<>(packet, index, itself);
  }

  @Override
  public T message() {
    return message;
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
    return packet == null ? side.sequence : packet.firstSequence + index;
  }

  @Override
  public int deliveryCount() {
    return packet == null ? side.deliveries : packet.deliveries(index);
  }

  @Override
  public int failures() {
    return side == null ? 0 : side.failures;
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

  SideMessage<T> side() {
    return side;
  }

  /** The record of its own; a message that is still in its packet gets a new one. */
  SideMessage<T> detached() {
    if (side == null) {
      return SideMessage.of(this);
    }
    side.deliveries = deliveryCount();
    return side;
  }

  /** Null for none. */
  MessageOptions options() {
    return side == null ? packet.options(index) : side.options;
  }

  int sizeBytes() {
    return side == null ? packet.sizes[index] : side.sizeBytes;
  }

  boolean isTransient() {
    return side == null ? packet.isTransient(index) : side.isTransient;
  }
}
