package dev.weir.queue;

import java.nio.ByteBuffer;

/**
 * Key of a record in a queue's side table: a message that has left its packet. Sorts by what the
 * message waits for, and tells enough that opening a queue reads keys only.
 *
 * @param kind {@link #DUE}, {@link #LANE} or {@link #DELIVERIES}
 * @param order when it is due, ms since 1970; or which lane it waits in
 * @param number place among those of the same order
 * @param sequence of the message
 * @param lane the lane a due message keeps closed until it is done with, 0 for none
 * @param isTransient of no use after a restart
 * @param bytes size as the budget counts it
 */
record SideKey(
    byte kind, long order, long number, long sequence, long lane, boolean isTransient, int bytes) {

  /** Waits for its time. */
  static final byte DUE = 0;

  /** Waits for the messages of its lane before it. */
  static final byte LANE = 1;

  /** Tells how often a message of this table has been delivered. */
  static final byte DELIVERIES = 2;

  static final int BYTES = 1 + 4 * Long.BYTES + 1 + Integer.BYTES;

  static SideKey due(long dueMs, long sequence, long lane, boolean isTransient, int bytes) {
    return new SideKey(DUE, dueMs, sequence, sequence, lane, isTransient, bytes);
  }

  static SideKey lane(long lane, long number, long sequence, boolean isTransient, int bytes) {
    return new SideKey(LANE, lane, number, sequence, lane, isTransient, bytes);
  }

  static SideKey deliveries(long sequence) {
    return new SideKey(DELIVERIES, sequence, 0, sequence, 0, false, 0);
  }

  boolean isDue() {
    return kind == DUE;
  }

  byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .put(kind)
        .putLong(order)
        .putLong(number)
        .putLong(sequence)
        .putLong(lane)
        .put((byte) (isTransient ? 1 : 0))
        .putInt(bytes)
        .array();
  }

  static SideKey of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new SideKey(
        in.get(),
        in.getLong(),
        in.getLong(),
        in.getLong(),
        in.getLong(),
        in.get() != 0,
        in.getInt());
  }

  /** The smallest key from a place on. */
  static byte[] from(byte kind, long order, long number) {
    return ByteBuffer.allocate(1 + 2 * Long.BYTES).put(kind).putLong(order).putLong(number).array();
  }
}
