package dev.weir.queue.line;

import dev.weir.queue.DeadLetter;
import dev.weir.queue.MessageOptions;

/**
 * A message that has left its packet: it is deferred until a time or until its key is free, or it
 * is a dead letter. Guarded by its queue's lock; the fields of a record do not change while the
 * writer encodes it.
 *
 * @param <T> the message type
 */
public final class DetachedMessage<T> {
  /**
   * The body of a message as its bytes on disk, in the place of the message.
   *
   * @param failure why the serde cannot read the bytes
   */
  public record RawBody(byte[] bytes, String failure) {}

  /** Upper bound for the parts of a record besides key, options, reason and body. */
  static final int OVERHEAD_BYTES = 64;

  public final long sequence;

  /** Null if {@link #raw} is in its place. */
  public final T message;

  /** The body as bytes, if the serde cannot read it; null otherwise. */
  public final RawBody raw;

  public final int sizeBytes;

  /** Null for none. */
  public final MessageOptions options;

  public final boolean isTransient;

  /** Null for none; not written to disk. */
  public Object attachment;

  /** Deliveries so far, at most {@link Packet#MAX_DELIVERIES}. */
  public int deliveries;

  /** Failed attempts so far. */
  public int failures;

  /** When the first failed attempt ended, ms since 1970; 0 before. */
  public long firstAttemptMs;

  /** When the last failed attempt ended, ms since 1970; 0 before. */
  public long lastAttemptMs;

  /** Why the last attempt failed, or why the message is dead; may be empty. */
  public String reason = "";

  /** When the message became a dead letter, ms since 1970; 0 before. */
  public long diedAtMs;

  /** When it was due last, ms since 1970; 0 if it never waited for a time; not written to disk. */
  long dueMs;

  /** Key of the record on disk, null for none. */
  DeferredKey key;

  /** True if a crash may have ended a delivery that was not counted. */
  boolean suspect;

  /** True if a record of the delivery count may be on disk. */
  public boolean deliveriesOnDisk;

  /** True while a message with a record of its own is being handled, or moves elsewhere. */
  boolean busy;

  /** True while the delivery count is to be written. */
  boolean dirty;

  public DetachedMessage(
      long sequence,
      T message,
      int sizeBytes,
      MessageOptions options,
      boolean isTransient,
      Object attachment) {
    this(sequence, message, null, sizeBytes, options, isTransient, attachment);
  }

  private DetachedMessage(
      long sequence,
      T message,
      RawBody raw,
      int sizeBytes,
      MessageOptions options,
      boolean isTransient,
      Object attachment) {
    this.sequence = sequence;
    this.message = message;
    this.raw = raw;
    this.sizeBytes = sizeBytes;
    this.options = options;
    this.isTransient = isTransient;
    this.attachment = attachment;
  }

  /**
   * Makes the record of a message.
   *
   * @param body the message, or a {@link RawBody}
   */
  public static <T> DetachedMessage<T> withBody(
      long sequence,
      Object body,
      int sizeBytes,
      MessageOptions options,
      boolean isTransient,
      Object attachment) {
    RawBody raw = body instanceof RawBody bytes ? bytes : null;
    @SuppressWarnings("unchecked") // a body that is not raw is a message
    T message = raw == null ? (T) body : null;
    return new DetachedMessage<>(
        sequence, message, raw, sizeBytes, options, isTransient, attachment);
  }

  /** Makes the record of a message that leaves its packet. */
  static <T> DetachedMessage<T> of(TakenMessage<T> delivery) {
    Packet<T> packet = delivery.packet();
    int index = delivery.index();
    DetachedMessage<T> left =
        withBody(
            delivery.sequence(),
            delivery.body(),
            delivery.sizeBytes(),
            delivery.options(),
            packet.isTransient(index),
            delivery.attachment());
    left.deliveries = packet.deliveries(index);
    left.suspect = packet.suspect;
    return left;
  }

  /** The message, or a {@link RawBody}. */
  Object body() {
    return raw == null ? message : raw;
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

  /** Size of the record as the budget counts it. */
  public int bytes() {
    return OVERHEAD_BYTES
        + DeferredKey.BYTES
        + RecordSizes.optionsBytes(options)
        + 3 * reason.length()
        + sizeBytes;
  }
}
