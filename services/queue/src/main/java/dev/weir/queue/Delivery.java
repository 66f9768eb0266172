package dev.weir.queue;

/**
 * A message taken from a {@link DurableQueue}. It stays on disk, and is delivered again after a
 * restart, until it is acknowledged.
 *
 * @param <T> the message type
 */
public final class Delivery<T> {
  private final Packet<T> packet;
  private final int index;
  private final T message;
  private final Object attachment;
  private boolean ended;

  Delivery(Packet<T> packet, int index, T message, Object attachment) {
    this.packet = packet;
    this.index = index;
    this.message = message;
    this.attachment = attachment;
  }

  /** The message, never null. */
  public T message() {
    return message;
  }

  /** What was attached when the message was offered, or null; attachments are never written. */
  public Object attachment() {
    return attachment;
  }

  /** The place in the queue: grows with every message, is never used twice. */
  public long sequence() {
    return packet.firstSequence + index;
  }

  /** How often this message has been delivered, this time included: 1 to 127, then 127. */
  public int deliveryCount() {
    return packet.deliveries(index);
  }

  /** True the first time; guarded by the queue's lock. */
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
}
