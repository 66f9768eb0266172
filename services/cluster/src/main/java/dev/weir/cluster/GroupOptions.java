package dev.weir.cluster;

import static dev.weir.options.OptionTypes.choice;
import static dev.weir.options.OptionTypes.name;
import static dev.weir.options.OptionTypes.section;

import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.options.Options;
import java.util.List;
import java.util.Map;

/** One processor group: its members, what an acknowledgement means, when to give up on a member. */
public final class GroupOptions extends Options<GroupOptions> {
  /** {@value}: the name of a group. */
  public static final String DEFAULT_NAME = "processor";

  /** {@value} replica must hold a message before its reply is sent, the primary among them. */
  public static final int DEFAULT_MIN_IN_SYNC = 1;

  /** {@value} ms between two heartbeats. */
  public static final int DEFAULT_HEARTBEAT_MS = 50;

  /** {@value} ms after a backup's last sign a primary stops acknowledging. */
  public static final int DEFAULT_LEASE_MS = 600;

  /** {@value} ms after a primary's last sign a backup takes over. */
  public static final int DEFAULT_TAKEOVER_MS = 1000;

  /** {@value}: the role stays where it is until its member fails or leaves. */
  public static final int DEFAULT_HAND_BACK_MS = 0;

  /** {@value} bytes: a batch that has as many takes no further message. */
  public static final int DEFAULT_BATCH_BYTES = 64 << 10;

  /** {@value} batches may be on their way to the backups. */
  public static final int DEFAULT_MAX_BATCHES = 8;

  /** {@value} bytes in one message or reply at most. */
  public static final int DEFAULT_MAX_MESSAGE_BYTES = 64 << 10;

  /** The last {@value} replies to each client are kept to answer what it sends again. */
  public static final int DEFAULT_REPLY_WINDOW = 16 << 10;

  /** {@value} clients may be known to a group at a time. */
  public static final int DEFAULT_MAX_CLIENTS = 100_000;

  /** {@value} ms after its last message a client is forgotten. */
  public static final int DEFAULT_CLIENT_EXPIRY_MS = 600_000;

  /** {@value} bytes of log between two snapshots. */
  public static final long DEFAULT_SNAPSHOT_BYTES = 256L << 20;

  /** Clocks of two machines differ by less than this factor. */
  public static final double MAX_CLOCK_RATIO = 1.2;

  static final int MAX_MEMBERS = 3;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<String> NAME =
      OPTIONS.add("name", name(), DEFAULT_NAME).does("Name of the group, the same on all members.");
  private static final Option<List<String>> MEMBERS =
      OPTIONS
          .add("members", GroupChecks.members(), null)
          .does("Names of the members that hold the group.");
  private static final Option<String> WITNESS =
      OPTIONS
          .add("witness", name().orNull(), null)
          .does("Name of the last of three members if it only votes; null for none.");
  private static final Option<Integer> MIN_IN_SYNC =
      OPTIONS
          .integer("minInSync", DEFAULT_MIN_IN_SYNC, 1, MAX_MEMBERS)
          .does("Replicas that must hold a message before its reply is sent.");
  private static final Option<AckLevel> ACK_LEVEL =
      OPTIONS.choice("ackLevel", AckLevel.PERSISTED).does("When a replica holds a message.");
  private static final Option<Replication> REPLICATION =
      OPTIONS.choice("replication", Replication.TCP).does("How members exchange frames.");
  private static final Option<Waiting> WAITING =
      OPTIONS.choice("waiting", Waiting.BLOCK).does("What the thread of the group does at rest.");
  private static final Option<Waiting> LINK_WAITING =
      OPTIONS
          .add("linkWaiting", choice(Waiting.class).orNull(), null)
          .does("How the TCP connections of the group are read; null for the same as waiting.");
  private static final Option<Boolean> PERSISTENCE =
      OPTIONS.flag("persistence", true).does("Whether the log is kept on disk.");
  private static final Option<Integer> HEARTBEAT_MS =
      OPTIONS
          .integer("heartbeatMs", DEFAULT_HEARTBEAT_MS, 5, 10_000)
          .does("Pause between heartbeats.");
  private static final Option<Integer> LEASE_MS =
      OPTIONS
          .integer("leaseMs", DEFAULT_LEASE_MS, 20, 300_000)
          .does("How long an answer to a heartbeat lets the primary acknowledge.");
  private static final Option<Integer> TAKEOVER_MS =
      OPTIONS
          .integer("takeoverMs", DEFAULT_TAKEOVER_MS, 30, 600_000)
          .does("How long a primary may be silent until a backup takes over.");
  private static final Option<Integer> HAND_BACK_MS =
      OPTIONS
          .integer("handBackMs", DEFAULT_HAND_BACK_MS, 0, 86_400_000)
          .does("How long the first member is in sync until it gets the role back; 0 for never.");
  private static final Option<Integer> BATCH_BYTES =
      OPTIONS
          .integer("batchBytes", DEFAULT_BATCH_BYTES, 1 << 10, 4 << 20)
          .does("Size at which a batch is closed.");
  private static final Option<Integer> MAX_BATCHES =
      OPTIONS.integer("maxBatches", DEFAULT_MAX_BATCHES, 1, 1024).does("Unacknowledged batches.");
  private static final Option<Integer> MAX_MESSAGE_BYTES =
      OPTIONS
          .integer("maxMessageBytes", DEFAULT_MAX_MESSAGE_BYTES, 1, 4 << 20)
          .does("Size of a message or a reply.");
  private static final Option<Integer> REPLY_WINDOW =
      OPTIONS
          .integer("replyWindow", DEFAULT_REPLY_WINDOW, 1, 1 << 20)
          .does("Replies kept for each client.");
  private static final Option<Integer> MAX_CLIENTS =
      OPTIONS
          .integer("maxClients", DEFAULT_MAX_CLIENTS, 1, 10_000_000)
          .does("Clients that are known at a time; more are refused.");
  private static final Option<Integer> CLIENT_EXPIRY_MS =
      OPTIONS
          .integer("clientExpiryMs", DEFAULT_CLIENT_EXPIRY_MS, 1000, Integer.MAX_VALUE)
          .does("Time without a message after which a client is forgotten.");
  private static final Option<Long> SNAPSHOT_BYTES =
      OPTIONS
          .whole("snapshotBytes", DEFAULT_SNAPSHOT_BYTES, 1L << 20, 1L << 40)
          .does("Bytes of log between two snapshots.");
  private static final Option<ThreadOptions> THREADS =
      OPTIONS
          .add("threads", section(ThreadOptions::new, ThreadOptions::new), new ThreadOptions())
          .does("The threads of the group beside its own.");

  public GroupOptions() {
    super(OPTIONS);
  }

  public GroupOptions(GroupOptions other) {
    super(other);
  }

  /** Takes entries as {@link #toMap()} writes them, each optional; an unknown one is refused. */
  public GroupOptions(Map<String, ?> map) {
    super(OPTIONS, map);
  }

  /** Throws an IllegalArgumentException naming the options that do not go together. */
  public GroupOptions validate() {
    GroupChecks.check(this);
    return this;
  }

  public String getName() {
    return get(NAME);
  }

  /** Name of the group, the same on all members; default {@value #DEFAULT_NAME}. */
  public GroupOptions setName(String name) {
    return set(NAME, name);
  }

  public List<String> getMembers() {
    return get(MEMBERS) == null ? List.of() : get(MEMBERS);
  }

  /**
   * Names of the members, 1 to 3, the same list in the same order on all of them. It stays for the
   * life of the group: a machine is replaced by one with the same name. The first is preferred: it
   * is primary of a new group, and of members that started together and hold the same. {@link
   * #setHandBackMs} and {@link Placement} have more about that.
   */
  public GroupOptions setMembers(List<String> members) {
    return set(MEMBERS, members);
  }

  public String getWitness() {
    return get(WITNESS);
  }

  /**
   * Name of the member that votes and holds no messages, the same on all members: the last of three
   * {@link #setMembers}; null, the default, if there is none. It keeps only the group's record on
   * its disk and is never primary. The group survives the loss, the silence or the cut of one of
   * the three, as a group of three members does.
   */
  public GroupOptions setWitness(String witness) {
    return set(WITNESS, witness);
  }

  /** Whether the member of this index in {@link #getMembers} votes only. */
  public boolean isWitness(int member) {
    return getMembers().get(member).equals(getWitness());
  }

  public int getMinInSync() {
    return get(MIN_IN_SYNC);
  }

  /**
   * Replicas that must hold a message before its reply is sent, 1 to 3; default {@value
   * #DEFAULT_MIN_IN_SYNC}. With 1 a primary that has lost its backup goes on alone; with 2 it stops
   * accepting until one is back.
   */
  public GroupOptions setMinInSync(int minInSync) {
    return set(MIN_IN_SYNC, minInSync);
  }

  public AckLevel getAckLevel() {
    return get(ACK_LEVEL);
  }

  /** What it means that a replica holds a message; default {@code PERSISTED}. */
  public GroupOptions setAckLevel(AckLevel ackLevel) {
    return set(ACK_LEVEL, ackLevel);
  }

  public Replication getReplication() {
    return get(REPLICATION);
  }

  /** How members exchange frames; default {@code TCP}. */
  public GroupOptions setReplication(Replication replication) {
    return set(REPLICATION, replication);
  }

  public Waiting getWaiting() {
    return get(WAITING);
  }

  /** What the group's thread does at rest; default {@code BLOCK}. */
  public GroupOptions setWaiting(Waiting waiting) {
    return set(WAITING, waiting);
  }

  public Waiting getLinkWaiting() {
    return get(LINK_WAITING) == null ? getWaiting() : get(LINK_WAITING);
  }

  /**
   * Who reads the TCP connections of the group: its own thread, which then must spin, or a thread
   * that sleeps until something comes; null, the default, for the same as {@link #setWaiting}. With
   * a {@link ThreadOptions#setDispatcher dispatcher} it is never the group's own.
   */
  public GroupOptions setLinkWaiting(Waiting linkWaiting) {
    return set(LINK_WAITING, linkWaiting);
  }

  public boolean isPersistence() {
    return get(PERSISTENCE);
  }

  /**
   * Whether the log is kept on disk; default true. Without, a member that restarts holds nothing:
   * it gets everything from the primary, and the group is empty when all have been down.
   */
  public GroupOptions setPersistence(boolean persistence) {
    return set(PERSISTENCE, persistence);
  }

  public int getHeartbeatMs() {
    return get(HEARTBEAT_MS);
  }

  /** Pause between heartbeats, 5 ms to 10 s; default {@value #DEFAULT_HEARTBEAT_MS}. */
  public GroupOptions setHeartbeatMs(int heartbeatMs) {
    return set(HEARTBEAT_MS, heartbeatMs);
  }

  public int getLeaseMs() {
    return get(LEASE_MS);
  }

  /**
   * How long a backup's answer to a heartbeat lets the primary acknowledge, from when that
   * heartbeat was sent, 20 ms to 5 min; default {@value #DEFAULT_LEASE_MS}.
   */
  public GroupOptions setLeaseMs(int leaseMs) {
    return set(LEASE_MS, leaseMs);
  }

  public int getTakeoverMs() {
    return get(TAKEOVER_MS);
  }

  /**
   * How long a primary may be silent until a backup takes over, 30 ms to 10 min, at least 1.2 times
   * the lease, as clocks of two machines do not run at the same pace; default {@value
   * #DEFAULT_TAKEOVER_MS}. A primary whose process is gone is replaced at once.
   */
  public GroupOptions setTakeoverMs(int takeoverMs) {
    return set(TAKEOVER_MS, takeoverMs);
  }

  public int getHandBackMs() {
    return get(HAND_BACK_MS);
  }

  /**
   * How long the first of {@link #setMembers} must have been in sync without a break until the
   * primary hands the role to it: 0 for never, or 3 times {@code takeoverMs} to 1 day; default
   * {@value #DEFAULT_HAND_BACK_MS}.
   *
   * <p>Nothing is lost and nothing is handled twice. But for some ms nobody accepts, and until the
   * others are in sync with the new primary it alone holds what it acknowledges. A member that has
   * handed over waits twice as long the next time, up to 64 times this.
   */
  public GroupOptions setHandBackMs(int handBackMs) {
    return set(HAND_BACK_MS, handBackMs);
  }

  public int getBatchBytes() {
    return get(BATCH_BYTES);
  }

  /** Size at which a batch is closed, 1 KiB to 4 MiB; default {@value #DEFAULT_BATCH_BYTES}. */
  public GroupOptions setBatchBytes(int batchBytes) {
    return set(BATCH_BYTES, batchBytes);
  }

  public int getMaxBatches() {
    return get(MAX_BATCHES);
  }

  /**
   * Batches that may be unacknowledged, 1 to 1024; default {@value #DEFAULT_MAX_BATCHES}. While as
   * many are, messages gather in the next.
   */
  public GroupOptions setMaxBatches(int maxBatches) {
    return set(MAX_BATCHES, maxBatches);
  }

  public int getMaxMessageBytes() {
    return get(MAX_MESSAGE_BYTES);
  }

  /** Size of a message or a reply, 1 B to 4 MiB; default {@value #DEFAULT_MAX_MESSAGE_BYTES}. */
  public GroupOptions setMaxMessageBytes(int maxMessageBytes) {
    return set(MAX_MESSAGE_BYTES, maxMessageBytes);
  }

  public int getReplyWindow() {
    return get(REPLY_WINDOW);
  }

  /**
   * Replies kept per client, 1 to 1,048,576; default {@value #DEFAULT_REPLY_WINDOW}. A client may
   * have as many messages without a reply.
   */
  public GroupOptions setReplyWindow(int replyWindow) {
    return set(REPLY_WINDOW, replyWindow);
  }

  public int getMaxClients() {
    return get(MAX_CLIENTS);
  }

  /**
   * Clients that are known at a time, 1 to 10,000,000, the same on all members; default {@value
   * #DEFAULT_MAX_CLIENTS}. While as many are, new ones are refused with {@link
   * OfferResult#TOO_MANY_CLIENTS}.
   */
  public GroupOptions setMaxClients(int maxClients) {
    return set(MAX_CLIENTS, maxClients);
  }

  public int getClientExpiryMs() {
    return get(CLIENT_EXPIRY_MS);
  }

  /**
   * How long a client may send nothing, 1 s to 24 days, the same on all members; default {@value
   * #DEFAULT_CLIENT_EXPIRY_MS}. Then the group forgets its replies, and refuses its further
   * messages with {@link OfferResult#SESSION_EXPIRED}. Time is that of the log: it stands still
   * while the group handles nothing.
   */
  public GroupOptions setClientExpiryMs(int clientExpiryMs) {
    return set(CLIENT_EXPIRY_MS, clientExpiryMs);
  }

  public long getSnapshotBytes() {
    return get(SNAPSHOT_BYTES);
  }

  /**
   * Log between two snapshots, 1 MiB to 1 TiB; default {@value #DEFAULT_SNAPSHOT_BYTES}. Log before
   * the last but one snapshot is deleted.
   */
  public GroupOptions setSnapshotBytes(long snapshotBytes) {
    return set(SNAPSHOT_BYTES, snapshotBytes);
  }

  public ThreadOptions getThreads() {
    return get(THREADS);
  }

  /** The threads it has beside its own; default none. Copied. */
  public GroupOptions setThreads(ThreadOptions threads) {
    return set(THREADS, threads);
  }
}
