package dev.weir.queue.line;

import dev.weir.queue.DeadLetters;
import java.nio.ByteBuffer;

/**
 * Key of a dead letter. Keys sort by age. They hold enough that the opening of a queue reads no
 * record.
 *
 * @param number grows with every dead letter of the queue; those of messages that cannot be read
 *     are numbered from {@link #UNREADABLE} on, so that they are no part of what is trimmed
 * @param sequence of the message
 * @param diedAtMs when the message became a dead letter, ms since 1970
 * @param bytes size as the retention limits count it
 */
public record DeadKey(long number, long sequence, long diedAtMs, int bytes) {
  /** First number of a message that its serde cannot read; exact in JSON. */
  public static final long UNREADABLE = DeadLetters.FIRST_UNREADABLE;

  public static final int BYTES = 3 * Long.BYTES + Integer.BYTES;

  /** Whether this is a message that its serde could not read when it became a dead letter. */
  boolean isUnreadable() {
    return number >= UNREADABLE;
  }

  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .putLong(number)
        .putLong(sequence)
        .putLong(diedAtMs)
        .putInt(bytes)
        .array();
  }

  public static DeadKey of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new DeadKey(in.getLong(), in.getLong(), in.getLong(), in.getInt());
  }

  /** The first bytes of the smallest key from a number on. */
  public static byte[] from(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
