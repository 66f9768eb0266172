package dev.weir.queue.line;

import java.nio.ByteBuffer;

/**
 * Key of a dead letter. Keys sort by age. They hold enough that the opening of a queue reads no
 * record.
 *
 * @param number grows with every dead letter of the queue
 * @param sequence of the message
 * @param diedAtMs when the message became a dead letter, ms since 1970
 * @param bytes size as the retention limits count it
 */
public record DeadKey(long number, long sequence, long diedAtMs, int bytes) {
  public static final int BYTES = 3 * Long.BYTES + Integer.BYTES;

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
