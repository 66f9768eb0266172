package dev.weir.queue.line;

import dev.weir.queue.Delivery;
import dev.weir.queue.MessageOptions;

/**
 * A message that was taken out of its waiting place, together with the place it came from: an index
 * in a packet, or a record of its own ({@link SideMessage}). Guarded by its queue's lock, except
 * for the methods of {@link Delivery} that consumers call.
 *
 * @param <T> the message type
 */
public final class TakenMessage<T> implements Delivery<T> {
  /** Null for a message that has left its packet. */
  private final Packet<T> packet;

  private final int index;

  /** Null for a message in its packet. */
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
    return side == null ? packet.firstSequence + index : side.sequence;
  }

  @Override
  public int deliveryCount() {
    return side == null ? packet.deliveries(index) : side.deliveries;
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
    return side == null ? SideMessage.of(this) : side;
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
