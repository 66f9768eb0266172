package dev.weir.queue.line;

import dev.weir.queue.DeadLetter;
import dev.weir.queue.MessageOptions;

/**
 * A message that has left its packet: it waits for its time or for its key, or is a dead letter.
 * Guarded by its queue's lock; what the writer encodes does not change while it does.
 *
 * @param <T> the message type
 */
public final class SideMessage<T> {
  /** What a record takes besides the options, the reason and the body. */
  static final int OVERHEAD_BYTES = 64;

  public final long sequence;

  /** Null if it cannot be read. */
  public final T message;

  public final int sizeBytes;

  /** Null for none. */
  public final MessageOptions options;

  public final boolean isTransient;

  /** Null for none; never written. */
  public Object attachment;

  /** Deliveries so far, saturating as in a packet. */
  public int deliveries;

  /** Attempts that failed. */
  public int failures;

  /** When the first failed attempt ended, ms since 1970; 0 before. */
  public long firstAttemptMs;

  /** When the last failed attempt ended, ms since 1970; 0 before. */
  public long lastAttemptMs;

  /** Why the last attempt failed, or why it is dead; may be empty. */
  public String reason = "";

  /** When it became a dead letter, ms since 1970; 0 before. */
  public long diedAtMs;

  /** The record it is in, null while it is in none. */
  SideKey key;

  /** A record of its deliveries may be on disk. */
  public boolean deliveriesOnDisk;

  /** Its deliveries are to be written. */
  boolean dirty;

  public SideMessage(
      long sequence,
      T message,
      int sizeBytes,
      MessageOptions options,
      boolean isTransient,
      Object attachment) {
    this.sequence = sequence;
    this.message = message;
    this.sizeBytes = sizeBytes;
    this.options = options;
    this.isTransient = isTransient;
    this.attachment = attachment;
  }

  /** The message in a packet, on its way out of it. */
  static <T> SideMessage<T> of(TakenMessage<T> delivery) {
    Packet<T> packet = delivery.packet();
    int index = delivery.index();
    SideMessage<T> left =
        new SideMessage<>(
            delivery.sequence(),
            delivery.message(),
            delivery.sizeBytes(),
            delivery.options(),
            packet.isTransient(index),
            delivery.attachment());
    left.deliveries = packet.deliveries(index);
    return left;
  }

  /** The dead letter of this message, as users see it. */
  public DeadLetter<T> deadLetter(DeadKey key) {
    return new DeadLetter<>(
        key.number(),
        key.sequence(),
        message,
        options == null ? MessageOptions.NONE : options,
        reason,
        deliveries,
        failures,
        firstAttemptMs,
        lastAttemptMs,
        key.diedAtMs(),
        key.bytes());
  }

  /** Size as the budget counts it. */
  public int bytes() {
    return OVERHEAD_BYTES
        + SideKey.BYTES
        + RecordSizes.optionsBytes(options)
        + 3 * reason.length()
        + sizeBytes;
  }
}
