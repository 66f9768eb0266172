package dev.weir.queue.line;

import java.nio.ByteBuffer;

/**
 * Key of a record in the table of deferred messages. Keys sort by what a message waits for. They
 * hold enough that the opening of a queue reads no record.
 *
 * @param kind {@link #DUE}, {@link #LANE} or {@link #DELIVERIES}
 * @param order time when the message is due, ms since 1970; or id of its key queue
 * @param number position among the records of the same order
 * @param sequence of the message
 * @param lane id of the key queue that the message waits in or blocks, 0 for none
 * @param isTransient true if the message is of no use after a restart
 * @param isPlaced true if the sequence is the position of the message among those of its key: the
 *     message was neither delayed nor requeued
 * @param bytes size of the record as the budget counts it
 */
public record DeferredKey(
    byte kind,
    long order,
    long number,
    long sequence,
    long lane,
    boolean isTransient,
    boolean isPlaced,
    int bytes) {

  /** Kind of a message that waits for a time. */
  public static final byte DUE = 0;

  /** Kind of a message that waits for others of its key. */
  public static final byte LANE = 1;

  /** Kind of a record that holds the delivery count of a message of this table. */
  public static final byte DELIVERIES = 2;

  private static final int TRANSIENT = 1;
  private static final int PLACED = 2;

  public static final int BYTES = 1 + 4 * Long.BYTES + 1 + Integer.BYTES;

  public static DeferredKey due(
      long dueMs, long sequence, long lane, boolean isTransient, int bytes) {
    return new DeferredKey(DUE, dueMs, sequence, sequence, lane, isTransient, false, bytes);
  }

  static DeferredKey lane(
      long lane, long number, long sequence, boolean isTransient, boolean isPlaced, int bytes) {
    return new DeferredKey(LANE, lane, number, sequence, lane, isTransient, isPlaced, bytes);
  }

  public static DeferredKey deliveries(long sequence) {
    return new DeferredKey(DELIVERIES, sequence, 0, sequence, 0, false, false, 0);
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

  public static DeferredKey of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte kind = in.get();
    long order = in.getLong();
    long number = in.getLong();
    long sequence = in.getLong();
    long lane = in.getLong();
    int flags = in.get();
    return new DeferredKey(
        kind,
        order,
        number,
        sequence,
        lane,
        (flags & TRANSIENT) != 0,
        (flags & PLACED) != 0,
        in.getInt());
  }

  /** The first bytes of the smallest key from a position on. */
  public static byte[] from(byte kind, long order, long number) {
    return ByteBuffer.allocate(1 + 2 * Long.BYTES).put(kind).putLong(order).putLong(number).array();
  }
}
