package dev.weir.queue.line;

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
 * @param isPlaced its sequence tells its place in its lane: it neither was delayed nor requeued
 * @param bytes size as the budget counts it
 */
public record SideKey(
    byte kind,
    long order,
    long number,
    long sequence,
    long lane,
    boolean isTransient,
    boolean isPlaced,
    int bytes) {

  /** Waits for its time. */
  public static final byte DUE = 0;

  /** Waits for the messages of its lane before it. */
  public static final byte LANE = 1;

  /** Tells how often a message of this table has been delivered. */
  public static final byte DELIVERIES = 2;

  private static final int TRANSIENT = 1;
  private static final int PLACED = 2;

  public static final int BYTES = 1 + 4 * Long.BYTES + 1 + Integer.BYTES;

  public static SideKey due(long dueMs, long sequence, long lane, boolean isTransient, int bytes) {
    return new SideKey(DUE, dueMs, sequence, sequence, lane, isTransient, false, bytes);
  }

  static SideKey lane(
      long lane, long number, long sequence, boolean isTransient, boolean isPlaced, int bytes) {
    return new SideKey(LANE, lane, number, sequence, lane, isTransient, isPlaced, bytes);
  }

  public static SideKey deliveries(long sequence) {
    return new SideKey(DELIVERIES, sequence, 0, sequence, 0, false, false, 0);
  }

  public boolean isDue() {
    return kind == DUE;
  }

  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .put(kind)
        .putLong(order)
        .putLong(number)
        .putLong(sequence)
        .putLong(lane)
        .put((byte) ((isTransient ? TRANSIENT : 0) | (isPlaced ? PLACED : 0)))
        .putInt(bytes)
        .array();
  }

  public static SideKey of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte kind = in.get();
    long order = in.getLong();
    long number = in.getLong();
    long sequence = in.getLong();
    long lane = in.getLong();
    int flags = in.get();
    return new SideKey(
        kind,
        order,
        number,
        sequence,
        lane,
        (flags & TRANSIENT) != 0,
        (flags & PLACED) != 0,
        in.getInt());
  }

  /** The smallest key from a place on. */
  public static byte[] from(byte kind, long order, long number) {
    return ByteBuffer.allocate(1 + 2 * Long.BYTES).put(kind).putLong(order).putLong(number).array();
  }
}
