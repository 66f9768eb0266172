package dev.weir.cluster;

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

  public GroupOptions() {
    super(DeclaredGroupOptions.ALL);
  }

  public GroupOptions(GroupOptions other) {
    super(other);
  }

  /**
   * @param map entries as {@link #toMap()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown option or a bad value
   */
  public GroupOptions(Map<String, ?> map) {
    super(DeclaredGroupOptions.ALL, map);
  }

  /**
   * Checks what single setters cannot.
   *
   * @return this
   * @throws IllegalArgumentException naming the options that are missing or do not go together
   */
  public GroupOptions validate() {
    GroupChecks.check(this);
    return this;
  }

  public String getName() {
    return get(DeclaredGroupOptions.NAME);
  }

  /**
   * Name of the group, the same on all members; default {@value #DEFAULT_NAME}.
   *
   * @throws IllegalArgumentException if it is not 1 to 64 letters, digits, dots, dashes,
   *     underscores
   */
  public GroupOptions setName(String name) {
    return set(DeclaredGroupOptions.NAME, name);
  }

  public List<String> getMembers() {
    List<String> members = get(DeclaredGroupOptions.MEMBERS);
    return members == null ? List.of() : members;
  }

  /**
   * Names of the members, 1 to 3, the same list in the same order on all of them. The first that is
   * no witness is preferred: it is primary of a new group, and of members that started together and
   * hold the same; see {@link #setHandBackMs} and {@link Placement}. A group begins with this list.
   * Once it was changed, as by {@link ProcessorGroup#add}, a member uses the list in its directory.
   * One with an empty directory needs the list of today, with an empty name for a vacant place.
   *
   * @throws IllegalArgumentException if they are none, more than 3, not unique, or no names
   */
  public GroupOptions setMembers(List<String> members) {
    return set(DeclaredGroupOptions.MEMBERS, members);
  }

  public String getWitness() {
    return get(DeclaredGroupOptions.WITNESS);
  }

  /**
   * Name of the member that votes and holds no messages, the same on all members: one of three
   * {@link #setMembers}; null, the default, if there is none. It keeps only the group's record on
   * its disk and is never primary. The group survives the loss, the silence or the cut of one of
   * the three, as a group of three members does.
   *
   * @throws IllegalArgumentException if it is no name; {@link #validate} checks its place
   */
  public GroupOptions setWitness(String witness) {
    return set(DeclaredGroupOptions.WITNESS, witness);
  }

  /** Whether the member of this index in {@link #getMembers} votes only. */
  public boolean isWitness(int member) {
    return getMembers().get(member).equals(getWitness());
  }

  public int getMinInSync() {
    return get(DeclaredGroupOptions.MIN_IN_SYNC);
  }

  /**
   * Replicas that must hold a message before its reply is sent, 1 to 3; default {@value
   * #DEFAULT_MIN_IN_SYNC}. With 1 a primary that has lost its backup continues alone; with 2 it
   * stops accepting until one is back.
   *
   * @throws IllegalArgumentException if it is out of range; {@link #validate} compares members
   */
  public GroupOptions setMinInSync(int minInSync) {
    return set(DeclaredGroupOptions.MIN_IN_SYNC, minInSync);
  }

  public PairPolicy getPairPolicy() {
    return get(DeclaredGroupOptions.PAIR_POLICY);
  }

  /**
   * Which of two members goes on when they do not hear each other, the same on both; default {@code
   * BACKUP_TAKES_OVER}. Three members, or two and a witness, decide that by vote.
   *
   * @throws IllegalArgumentException if it is null; {@link #validate} compares the members
   */
  public GroupOptions setPairPolicy(PairPolicy pairPolicy) {
    return set(DeclaredGroupOptions.PAIR_POLICY, pairPolicy);
  }

  public AckLevel getAckLevel() {
    return get(DeclaredGroupOptions.ACK_LEVEL);
  }

  /**
   * What it means that a replica holds a message; default {@code PERSISTED}.
   *
   * @throws IllegalArgumentException if it is null
   */
  public GroupOptions setAckLevel(AckLevel ackLevel) {
    return set(DeclaredGroupOptions.ACK_LEVEL, ackLevel);
  }

  public Replication getReplication() {
    return get(DeclaredGroupOptions.REPLICATION);
  }

  /**
   * How members exchange frames; default {@code TCP}.
   *
   * @throws IllegalArgumentException if it is null
   */
  public GroupOptions setReplication(Replication replication) {
    return set(DeclaredGroupOptions.REPLICATION, replication);
  }

  public Waiting getWaiting() {
    return get(DeclaredGroupOptions.WAITING);
  }

  /**
   * What the group's thread does at rest; default {@code BLOCK}.
   *
   * @throws IllegalArgumentException if it is null
   */
  public GroupOptions setWaiting(Waiting waiting) {
    return set(DeclaredGroupOptions.WAITING, waiting);
  }

  public Waiting getLinkWaiting() {
    Waiting waiting = get(DeclaredGroupOptions.LINK_WAITING);
    return waiting == null ? getWaiting() : waiting;
  }

  /**
   * Who reads the TCP connections of the group: its own thread, which then must spin, or a thread
   * that sleeps until something comes; null, the default, for the same as {@link #setWaiting}. With
   * a {@link ThreadOptions#setDispatcher dispatcher} it is never the group's own.
   */
  public GroupOptions setLinkWaiting(Waiting linkWaiting) {
    return set(DeclaredGroupOptions.LINK_WAITING, linkWaiting);
  }

  public boolean isPersistence() {
    return get(DeclaredGroupOptions.PERSISTENCE);
  }

  /**
   * Whether the log is kept on disk; default true. Without, a member that restarts holds nothing:
   * it gets everything from the primary, and the group is empty when all have been down.
   */
  public GroupOptions setPersistence(boolean persistence) {
    return set(DeclaredGroupOptions.PERSISTENCE, persistence);
  }

  public int getHeartbeatMs() {
    return get(DeclaredGroupOptions.HEARTBEAT_MS);
  }

  /**
   * Pause between heartbeats, 5 ms to 10 s, at most half of the lease; default {@value
   * #DEFAULT_HEARTBEAT_MS}. More than 32 shards on a member have longer ones.
   *
   * @throws IllegalArgumentException if it is out of range; {@link #validate} compares the lease
   */
  public GroupOptions setHeartbeatMs(int heartbeatMs) {
    return set(DeclaredGroupOptions.HEARTBEAT_MS, heartbeatMs);
  }

  public int getLeaseMs() {
    return get(DeclaredGroupOptions.LEASE_MS);
  }

  /**
   * How long a backup's answer to a heartbeat lets the primary acknowledge, from when that
   * heartbeat was sent, 20 ms to 5 min; default {@value #DEFAULT_LEASE_MS}.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public GroupOptions setLeaseMs(int leaseMs) {
    return set(DeclaredGroupOptions.LEASE_MS, leaseMs);
  }

  public int getTakeoverMs() {
    return get(DeclaredGroupOptions.TAKEOVER_MS);
  }

  /**
   * How long a primary may be silent until a backup takes over, 30 ms to 10 min, at least 1.2 times
   * the lease, as clocks of two machines do not run at the same pace; default {@value
   * #DEFAULT_TAKEOVER_MS}. A primary whose process is gone is replaced at once.
   *
   * @throws IllegalArgumentException if it is out of range; {@link #validate} compares the lease
   */
  public GroupOptions setTakeoverMs(int takeoverMs) {
    return set(DeclaredGroupOptions.TAKEOVER_MS, takeoverMs);
  }

  public int getHandBackMs() {
    return get(DeclaredGroupOptions.HAND_BACK_MS);
  }

  /**
   * How long the first of {@link #setMembers} must have been in sync without a break until the
   * primary hands the role to it: 0 for never, or 3 times {@code takeoverMs} to 1 day; default
   * {@value #DEFAULT_HAND_BACK_MS}.
   *
   * <p>Nothing is lost and nothing is handled twice. But for some ms nobody accepts, and until the
   * others are in sync with the new primary it alone holds what it acknowledges. A member that has
   * handed over waits twice as long the next time, up to 64 times this.
   *
   * @throws IllegalArgumentException if it is out of range; {@link #validate} compares takeoverMs
   */
  public GroupOptions setHandBackMs(int handBackMs) {
    return set(DeclaredGroupOptions.HAND_BACK_MS, handBackMs);
  }

  public int getBatchBytes() {
    return get(DeclaredGroupOptions.BATCH_BYTES);
  }

  /**
   * Size at which a batch is closed, 1 KiB to 4 MiB; default {@value #DEFAULT_BATCH_BYTES}.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public GroupOptions setBatchBytes(int batchBytes) {
    return set(DeclaredGroupOptions.BATCH_BYTES, batchBytes);
  }

  public int getMaxBatches() {
    return get(DeclaredGroupOptions.MAX_BATCHES);
  }

  /**
   * Batches that may be unacknowledged, 1 to 1024; default {@value #DEFAULT_MAX_BATCHES}. While as
   * many are, messages gather in the next.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public GroupOptions setMaxBatches(int maxBatches) {
    return set(DeclaredGroupOptions.MAX_BATCHES, maxBatches);
  }

  public int getMaxMessageBytes() {
    return get(DeclaredGroupOptions.MAX_MESSAGE_BYTES);
  }

  /**
   * Size of a message or a reply, 1 B to 4 MiB; default {@value #DEFAULT_MAX_MESSAGE_BYTES}.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public GroupOptions setMaxMessageBytes(int maxMessageBytes) {
    return set(DeclaredGroupOptions.MAX_MESSAGE_BYTES, maxMessageBytes);
  }

  public int getReplyWindow() {
    return get(DeclaredGroupOptions.REPLY_WINDOW);
  }

  /**
   * The most replies kept per client, 1 to 1,048,576; default {@value #DEFAULT_REPLY_WINDOW}. A
   * client may have as many messages without one. {@link MessageSink#releaseReplies} keeps fewer.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public GroupOptions setReplyWindow(int replyWindow) {
    return set(DeclaredGroupOptions.REPLY_WINDOW, replyWindow);
  }

  public int getMaxClients() {
    return get(DeclaredGroupOptions.MAX_CLIENTS);
  }

  /**
   * Clients that are known at a time, 1 to 10,000,000, the same on all members; default {@value
   * #DEFAULT_MAX_CLIENTS}. For one more, the one that is idle for longest is forgotten, after half
   * of {@link #setClientExpiryMs}; before, it is refused with {@link OfferResult#TOO_MANY_CLIENTS}.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public GroupOptions setMaxClients(int maxClients) {
    return set(DeclaredGroupOptions.MAX_CLIENTS, maxClients);
  }

  public int getClientExpiryMs() {
    return get(DeclaredGroupOptions.CLIENT_EXPIRY_MS);
  }

  /**
   * How long a client may send nothing, 1 s to 24 days, the same on all members; default {@value
   * #DEFAULT_CLIENT_EXPIRY_MS}. Then the group forgets its replies, and refuses its further
   * messages with {@link OfferResult#SESSION_EXPIRED}. Time is that of the log: it stands still
   * while the group handles nothing. See {@link #setMaxClients} for half of it.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public GroupOptions setClientExpiryMs(int clientExpiryMs) {
    return set(DeclaredGroupOptions.CLIENT_EXPIRY_MS, clientExpiryMs);
  }

  public long getSnapshotBytes() {
    return get(DeclaredGroupOptions.SNAPSHOT_BYTES);
  }

  /**
   * Log between two snapshots, 1 MiB to 1 TiB; default {@value #DEFAULT_SNAPSHOT_BYTES}. Log before
   * the last but one snapshot is deleted.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public GroupOptions setSnapshotBytes(long snapshotBytes) {
    return set(DeclaredGroupOptions.SNAPSHOT_BYTES, snapshotBytes);
  }

  public ThreadOptions getThreads() {
    return get(DeclaredGroupOptions.THREADS);
  }

  /**
   * The threads it has beside its own; default none. Copied.
   *
   * @throws IllegalArgumentException if it is null
   */
  public GroupOptions setThreads(ThreadOptions threads) {
    return set(DeclaredGroupOptions.THREADS, threads);
  }
}
