package dev.weir.queue;

import dev.weir.queue.line.Packet;
import dev.weir.queue.line.SideMessage;

/**
 * A message taken from a {@link DurableQueue}. It stays on disk, and is delivered again after a
 * restart, until it is acknowledged.
 *
 * @param <T> the message type
 */
public final class Delivery<T> {
  /** Null for a message that has left its packet. */
  private final Packet<T> packet;

  private final int index;

  /** Null for a message in its packet. */
  private final SideMessage<T> side;

  private final T message;
  private final Object attachment;
  private boolean ended;

  /** The lane it keeps closed, 0 for none. */
  public long lane;

  public Delivery(Packet<T> packet, int index, T message, Object attachment) {
    this.packet = packet;
    this.index = index;
    this.side = null;
    this.message = message;
    this.attachment = attachment;
  }

  public Delivery(SideMessage<T> side) {
    this.packet = null;
    this.index = 0;
    this.side = side;
    this.message = side.message;
    this.attachment = side.attachment;
  }

  /** The message, never null. */
  public T message() {
    return message;
  }

  /** What was attached when the message was offered, or null; attachments are never written. */
  public Object attachment() {
    return attachment;
  }

  /** What the message was given when it was added, never null. */
  public MessageOptions messageOptions() {
    MessageOptions its = options();
    return its == null ? MessageOptions.NONE : its;
  }

  /** The place in the queue: grows with every message, is never used twice. */
  public long sequence() {
    return side == null ? packet.firstSequence + index : side.sequence;
  }

  /** How often this message has been delivered, this time included: 1 to 127, then 127. */
  public int deliveryCount() {
    return side == null ? packet.deliveries(index) : side.deliveries;
  }

  /** How many attempts to handle this message have failed. */
  public int failures() {
    return side == null ? 0 : side.failures;
  }

  /** True the first time; guarded by the queue's lock. */
  public boolean end() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  public Packet<T> packet() {
    return packet;
  }

  public int index() {
    return index;
  }

  public SideMessage<T> side() {
    return side;
  }

  /** Null if it has none. */
  public MessageOptions options() {
    return side == null ? packet.options(index) : side.options;
  }

  public int sizeBytes() {
    return side == null ? packet.sizes[index] : side.sizeBytes;
  }

  public boolean isTransient() {
    return side == null ? packet.isTransient(index) : side.isTransient;
  }
}
