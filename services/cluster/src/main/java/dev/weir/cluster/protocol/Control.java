package dev.weir.cluster.protocol;

import java.nio.ByteBuffer;

/**
 * What members tell each other about roles. One fixed layout for all types: what a type does not
 * use is 0.
 *
 * @param epoch of the sender's record, except in a vote: the epoch voted on
 * @param number counts the messages of the sender, so that one that comes late is known as such
 * @param sender the process it comes from: differs after a restart
 * @param receiver the process it is meant for; 0 in a heartbeat if that has not answered the sender
 *     yet
 * @param sentNs monotonic time of the sender when it sent a heartbeat; in the answer to one, that
 *     time sent back
 * @param inSyncEpoch see {@link GroupRecord}
 * @param inSync as the sender knows it, see {@link GroupRecord}
 * @param version of {@code inSync}
 * @param disks of the members in sync, see {@link GroupRecord}
 * @param voter see {@link GroupRecord}
 * @param disk id of the sender's disk
 * @param primary who is primary in that epoch as far as the sender knows, or -1
 * @param end of the sender's log
 * @param flags see the constants
 */
public record Control(
    Type type,
    long epoch,
    long number,
    long sender,
    long receiver,
    long sentNs,
    long inSyncEpoch,
    int inSync,
    long version,
    long disks,
    long voter,
    long disk,
    int primary,
    LogEnd end,
    int flags) {

  /** The sender votes for the candidate. */
  static final int GRANTED = 1;

  /** The sender holds all its primary acknowledged: its very process was told so, see Following. */
  static final int CONTINUOUS = 2;

  /**
   * In the answer to a heartbeat: as primary I count on you, and will not do without you because of
   * silence for as long as a takeover takes.
   */
  static final int VOUCHED = 4;

  /** The sender asks for votes at the moment. */
  static final int CANDIDATE = 8;

  /** As primary I have this very process of the receiver in sync. */
  static final int COUNTED = 32;

  /** Not all up to {@link #end} is held as far as the group asks: it is no acknowledgement. */
  public static final int BEHIND = 16;

  /**
   * In the answer to a heartbeat: the sender does not know yet that the receiver runs. The answer
   * proves that the sender runs, and is no answer as a backup.
   */
  static final int UNKNOWN = 64;

  /** Bytes of an encoded control message. */
  public static final int BYTES = 116;

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

  public boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** The same with one more flag. */
  public Control with(int flag) {
    return new Control(
        type,
        epoch,
        number,
        sender,
        receiver,
        sentNs,
        inSyncEpoch,
        inSync,
        version,
        disks,
        voter,
        disk,
        primary,
        end,
        flags | flag);
  }

  /** Whether the in-sync set has a member. */
  boolean holds(int member) {
    return (inSync & 1 << member) != 0;
  }

  /** Whether it says how the sender stands. */
  boolean isGreeting() {
    return type == Type.HEARTBEAT || type == Type.HEARTBEAT_ACK;
  }

  /** Whether the sender was never told of a primary. */
  boolean isBlank() {
    return inSyncEpoch == 0;
  }

  /** Writes {@link #BYTES} bytes at the buffer's position. */
  public void encode(ByteBuffer out) {
    out.putInt(type.ordinal())
        .putLong(epoch)
        .putLong(number)
        .putLong(sender)
        .putLong(receiver)
        .putLong(sentNs)
        .putLong(inSyncEpoch)
        .putInt(inSync)
        .putLong(version)
        .putLong(disks)
        .putLong(voter)
        .putLong(disk)
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
  public static Control decode(ByteBuffer in) {
    int type = in.getInt();
    if (type < 0 || type >= TYPES.length) {
      throw new IllegalArgumentException("a control message has type " + type);
    }
    return new Control(
        TYPES[type],
        in.getLong(),
        in.getLong(),
        in.getLong(),
        in.getLong(),
        in.getLong(),
        in.getLong(),
        in.getInt(),
        in.getLong(),
        in.getLong(),
        in.getLong(),
        in.getLong(),
        in.getInt(),
        new LogEnd(in.getLong(), in.getLong()),
        (int) in.getLong());
  }
}
