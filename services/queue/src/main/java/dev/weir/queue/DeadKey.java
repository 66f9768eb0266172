package dev.weir.queue;

import java.nio.ByteBuffer;

/**
 * Key of a dead letter: sorts by death, and tells enough that opening a queue reads keys only.
 *
 * @param number grows with every dead letter of the queue
 * @param sequence of the message
 * @param diedAtMs ms since 1970
 * @param bytes size as the retention counts it
 */
record DeadKey(long number, long sequence, long diedAtMs, int bytes) {
  static final int BYTES = 3 * Long.BYTES + Integer.BYTES;

  byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .putLong(number)
        .putLong(sequence)
        .putLong(diedAtMs)
        .putInt(bytes)
        .array();
  }

  static DeadKey of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new DeadKey(in.getLong(), in.getLong(), in.getLong(), in.getInt());
  }

  /** The smallest key from a number on. */
  static byte[] from(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
