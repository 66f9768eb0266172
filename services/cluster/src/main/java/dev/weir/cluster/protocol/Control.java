package dev.weir.cluster.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What members tell each other about roles. One fixed layout for all types: what a type does not
 * use is 0.
 *
 * @param record of the sender; in an election or a proposal, the one it proposes. Without {@code
 *     votedFor} and {@code votedDisk}, which are not sent
 * @param number counts the messages of the sender, so that one that comes late is known as such
 * @param sender the process it comes from: differs after a restart
 * @param receiver the process it is meant for; 0 in a heartbeat if that has not answered the sender
 *     yet
 * @param sentNs monotonic time of the sender when it sent a heartbeat; in the answer to one, that
 *     time sent back
 * @param disk id of the sender's disk
 * @param primary who is primary in that epoch as far as the sender knows, or -1
 * @param end of the sender's log
 * @param flags see the constants
 */
public record Control(
    Type type,
    GroupRecord record,
    long number,
    long sender,
    long receiver,
    long sentNs,
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

  /**
   * In a heartbeat of who has just given up the role of primary: another member is to take over, so
   * the receiver lets that one stand first. It is the bit of {@link #GRANTED}, which only votes
   * have; versions that do not know it in a heartbeat ignore it.
   */
  static final int YIELD = GRANTED;

  /** Bytes of the names of the members, which follow if these have changed. */
  private static final int NAMES_BYTES = 1 + Membership.SLOTS * (1 + 64);

  /** The sender knows changes of the members, as versions of the protocol from 4 on do. */
  static final int CHANGEABLE = 128;

  /**
   * Above the flags of an encoded message is the version of the application that the sender states,
   * less 1. Versions of the protocol that know no such versions send 0, and ignore it.
   */
  private static final int VERSION_SHIFT = 8;

  /** Most bytes of an encoded control message. */
  public static final int BYTES = 116 + NAMES_BYTES;

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

  /** Epoch of the record. */
  public long epoch() {
    return record.epoch();
  }

  public boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** The version of the application that the sender states, in a message that was decoded. */
  public int version() {
    return (flags >>> VERSION_SHIFT) + 1;
  }

  /** Whether it says how the sender stands. */
  boolean isGreeting() {
    return type == Type.HEARTBEAT || type == Type.HEARTBEAT_ACK;
  }

  /**
   * Writes at most {@link #BYTES} bytes at the buffer's position.
   *
   * @param behind whether to add {@link #BEHIND}
   * @param version of the application that the sender states
   */
  public void encode(ByteBuffer out, boolean behind, int version) {
    out.putInt(type.ordinal())
        .putLong(record.epoch())
        .putLong(number)
        .putLong(sender)
        .putLong(receiver)
        .putLong(sentNs)
        .putLong(record.inSyncEpoch())
        .putInt(record.inSync())
        .putLong(record.version())
        .putLong(record.disks())
        .putLong(record.voter())
        .putLong(disk)
        .putInt(primary)
        .putLong(end.epoch())
        .putLong(end.position())
        .putLong((behind ? flags | BEHIND : flags) | version - 1 << VERSION_SHIFT);
    encode(record.membership(), out);
  }

  /** Bytes that {@link #encode(Membership, ByteBuffer)} writes. */
  public static int membershipBytes(Membership membership) {
    return membership == null
        ? 0
        : 1 + membership.names().stream().mapToInt(name -> 1 + name.length()).sum();
  }

  /** Writes names, which are ASCII, each after its length; nothing for null. */
  public static void encode(Membership membership, ByteBuffer out) {
    if (membership == null) {
      return;
    }
    out.put((byte) membership.witness());
    for (String name : membership.names()) {
      out.put((byte) name.length()).put(name.getBytes(StandardCharsets.US_ASCII));
    }
  }

  /** Reads what {@link #encode} wrote; null if nothing is left. */
  public static Membership decodeMembership(ByteBuffer in) {
    if (!in.hasRemaining()) {
      return null;
    }
    int witness = in.get();
    List<String> names = new ArrayList<>();
    for (int slot = 0; slot < Membership.SLOTS; slot++) {
      byte[] name = new byte[in.get()];
      in.get(name);
      names.add(new String(name, StandardCharsets.US_ASCII));
    }
    return new Membership(names, witness);
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
    long epoch = in.getLong();
    long number = in.getLong();
    long sender = in.getLong();
    long receiver = in.getLong();
    long sentNs = in.getLong();
    GroupRecord record =
        new GroupRecord(
            epoch, -1, in.getLong(), in.getInt(), in.getLong(), in.getLong(), 0, in.getLong());
    long disk = in.getLong();
    int primary = in.getInt();
    LogEnd end = new LogEnd(in.getLong(), in.getLong());
    int flags = (int) in.getLong();
    return new Control(
        TYPES[type],
        record.withMembership(decodeMembership(in)),
        number,
        sender,
        receiver,
        sentNs,
        disk,
        primary,
        end,
        flags);
  }
}
