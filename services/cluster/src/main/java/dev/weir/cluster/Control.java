package dev.weir.cluster;

import java.nio.ByteBuffer;

/**
 * What members tell each other about roles. One fixed layout for all types: what a type does not use
 * is 0.
 *
 * @param epoch the highest epoch the sender knows, except in a vote: the epoch voted on
 * @param sentNs monotonic time of the sender when it sent a heartbeat; in the answer to one, that
 *     time sent back
 * @param inSync as the sender knows it, see {@link GroupRecord}
 * @param version of {@code inSync}
 * @param primary who is primary in that epoch as far as the sender knows, or -1
 * @param end of the sender's log
 * @param flags see the constants
 */
record Control(
    Type type,
    long epoch,
    long sentNs,
    int inSync,
    long version,
    int primary,
    LogEnd end,
    int flags) {

  /** The sender votes for the candidate, or agrees to the change. */
  static final int GRANTED = 1;

  /** The sender is in the role it speaks of since before it last lost contact: not restarted. */
  static final int CONTINUOUS = 2;

  /** Bytes of an encoded control message. */
  static final int BYTES = 60;

  enum Type {
    /** I am here; every member sends it to every other. */
    HEARTBEAT,
    /** I have read your heartbeat. */
    HEARTBEAT_ACK,
    /** May I become primary in this epoch? */
    VOTE_REQUEST,
    VOTE,
    /** As primary I want this in-sync set; store it. */
    IN_SYNC,
    /** It is stored. */
    IN_SYNC_ACK
  }

  private static final Type[] TYPES = Type.values();

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** Writes {@link #BYTES} bytes at the buffer's position. */
  void encode(ByteBuffer out) {
    out.putInt(type.ordinal())
        .putLong(epoch)
        .putLong(sentNs)
        .putInt(inSync)
        .putLong(version)
        .putInt(primary)
        .putLong(end.epoch())
        .putLong(end.position())
        .putLong(flags);
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static Control decode(ByteBuffer in) {
    int type = in.getInt();
    if (type < 0 || type >= TYPES.length) {
      throw new IllegalArgumentException("a control message has type " + type);
    }
    return new Control(
        TYPES[type],
        in.getLong(),
        in.getLong(),
        in.getInt(),
        in.getLong(),
        in.getInt(),
        new LogEnd(in.getLong(), in.getLong()),
        (int) in.getLong());
  }
}
