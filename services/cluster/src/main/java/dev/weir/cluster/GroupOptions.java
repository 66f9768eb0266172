package dev.weir.cluster;

import java.util.List;

/**
 * One processor group: who belongs to it, what an acknowledgement means, and when to give up on a
 * member.
 */
public final class GroupOptions {
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

  /** {@value} bytes of log between two snapshots. */
  public static final long DEFAULT_SNAPSHOT_BYTES = 256L << 20;

  /** Clocks of two machines differ by less than this factor. */
  public static final double MAX_CLOCK_RATIO = 1.2;

  private static final int MAX_MEMBERS = 3;
  private static final int LEAST_HAND_BACK_TAKEOVERS = 3;

  private String name = DEFAULT_NAME;
  private List<String> members = List.of();
  private int minInSync = DEFAULT_MIN_IN_SYNC;
  private AckLevel ackLevel = AckLevel.PERSISTED;
  private Replication replication = Replication.TCP;
  private Waiting waiting = Waiting.BLOCK;
  private Waiting linkWaiting;
  private boolean persistence = true;
  private int heartbeatMs = DEFAULT_HEARTBEAT_MS;
  private int leaseMs = DEFAULT_LEASE_MS;
  private int takeoverMs = DEFAULT_TAKEOVER_MS;
  private int handBackMs = DEFAULT_HAND_BACK_MS;
  private int batchBytes = DEFAULT_BATCH_BYTES;
  private int maxBatches = DEFAULT_MAX_BATCHES;
  private int maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES;
  private int replyWindow = DEFAULT_REPLY_WINDOW;
  private long snapshotBytes = DEFAULT_SNAPSHOT_BYTES;
  private ThreadOptions threads = new ThreadOptions();

  public GroupOptions() {}

  public GroupOptions(GroupOptions other) {
    name = other.name;
    members = other.members;
    minInSync = other.minInSync;
    ackLevel = other.ackLevel;
    replication = other.replication;
    waiting = other.waiting;
    linkWaiting = other.linkWaiting;
    persistence = other.persistence;
    heartbeatMs = other.heartbeatMs;
    leaseMs = other.leaseMs;
    takeoverMs = other.takeoverMs;
    handBackMs = other.handBackMs;
    batchBytes = other.batchBytes;
    maxBatches = other.maxBatches;
    maxMessageBytes = other.maxMessageBytes;
    replyWindow = other.replyWindow;
    snapshotBytes = other.snapshotBytes;
    threads = new ThreadOptions(other.threads);
  }

  /**
   * Checks what single setters cannot.
   *
   * @throws IllegalArgumentException naming the options that do not go together
   */
  public GroupOptions validate() {
    Checks.range("members", members.size(), 1, MAX_MEMBERS);
    if (minInSync > members.size()) {
      throw new IllegalArgumentException(
          "minInSync is "
              + minInSync
              + ", allowed is 1 to the number of members, "
              + members.size());
    }
    validateTimes();
    if (waiting == Waiting.BLOCK
        && linkWaiting == Waiting.SPIN
        && threads.getDispatcher() == null) {
      throw new IllegalArgumentException(
          "linkWaiting is SPIN, allowed with a waiting of BLOCK and no dispatcher is BLOCK: nobody"
              + " would read");
    }
    if (!persistence && ackLevel != AckLevel.RECEIVED) {
      throw new IllegalArgumentException(
          "ackLevel is " + ackLevel + ", allowed without persistence is RECEIVED");
    }
    return this;
  }

  private void validateTimes() {
    if (2 * heartbeatMs > leaseMs) {
      throw new IllegalArgumentException(
          "heartbeatMs is " + heartbeatMs + ", allowed is at most half of leaseMs, " + leaseMs);
    }
    if (takeoverMs < MAX_CLOCK_RATIO * leaseMs) {
      throw new IllegalArgumentException(
          "takeoverMs is "
              + takeoverMs
              + ", allowed is at least "
              + MAX_CLOCK_RATIO
              + " times leaseMs, which is "
              + leaseMs
              + ": clocks do not run at the same pace");
    }
    if (handBackMs != 0 && handBackMs < LEAST_HAND_BACK_TAKEOVERS * takeoverMs) {
      throw new IllegalArgumentException(
          "handBackMs is "
              + handBackMs
              + ", allowed is 0 or at least "
              + LEAST_HAND_BACK_TAKEOVERS
              + " times takeoverMs, which is "
              + takeoverMs);
    }
  }

  public String getName() {
    return name;
  }

  /** Name of the group, the same on all members; default {@value #DEFAULT_NAME}. */
  public GroupOptions setName(String name) {
    this.name = Checks.name("name", name);
    return this;
  }

  public List<String> getMembers() {
    return members;
  }

  /**
   * Names of the members that hold the group, 1 to 3, the same list in the same order on all of
   * them. It stays for the life of the group: a machine is replaced by one with the same name.
   *
   * <p>The first is preferred: it is primary of a new group, and of members that started together
   * and hold the same. It gets the role back only if {@link #setHandBackMs} says so. {@link
   * Placement} makes such lists for several groups.
   */
  public GroupOptions setMembers(List<String> members) {
    Checks.notNull("members", members).forEach(member -> Checks.name("members", member));
    Checks.range("members", members.size(), 1, MAX_MEMBERS);
    if (members.stream().distinct().count() != members.size()) {
      throw new IllegalArgumentException("members is " + members + ", allowed is each name once");
    }
    this.members = List.copyOf(members);
    return this;
  }

  public int getMinInSync() {
    return minInSync;
  }

  /**
   * Replicas that must hold a message before its reply is sent, 1 to 3; default {@value
   * #DEFAULT_MIN_IN_SYNC}. With 1 a primary that has lost its backup goes on alone; with 2 it stops
   * accepting until one is back.
   */
  public GroupOptions setMinInSync(int minInSync) {
    this.minInSync = Checks.range("minInSync", minInSync, 1, MAX_MEMBERS);
    return this;
  }

  public AckLevel getAckLevel() {
    return ackLevel;
  }

  /** What it means that a replica holds a message; default {@code PERSISTED}. */
  public GroupOptions setAckLevel(AckLevel ackLevel) {
    this.ackLevel = Checks.notNull("ackLevel", ackLevel);
    return this;
  }

  public Replication getReplication() {
    return replication;
  }

  /** How members exchange frames; default {@code TCP}. */
  public GroupOptions setReplication(Replication replication) {
    this.replication = Checks.notNull("replication", replication);
    return this;
  }

  public Waiting getWaiting() {
    return waiting;
  }

  /** What the group's thread does at rest; default {@code BLOCK}. */
  public GroupOptions setWaiting(Waiting waiting) {
    this.waiting = Checks.notNull("waiting", waiting);
    return this;
  }

  public Waiting getLinkWaiting() {
    return linkWaiting == null ? waiting : linkWaiting;
  }

  /**
   * How the TCP connections of the group are read: by its own thread, which then must spin, or by a
   * thread that sleeps until something comes; null, the default, for the same as {@link
   * #setWaiting}. With a {@link ThreadOptions#setDispatcher dispatcher} it is never the group's
   * own.
   */
  public GroupOptions setLinkWaiting(Waiting linkWaiting) {
    this.linkWaiting = linkWaiting;
    return this;
  }

  public boolean isPersistence() {
    return persistence;
  }

  /**
   * Whether the log is kept on disk; default true. Without, a member that restarts holds nothing:
   * it gets everything from the primary, and the group is empty when all have been down.
   */
  public GroupOptions setPersistence(boolean persistence) {
    this.persistence = persistence;
    return this;
  }

  public int getHeartbeatMs() {
    return heartbeatMs;
  }

  /** Pause between heartbeats, 5 ms to 10 s; default {@value #DEFAULT_HEARTBEAT_MS}. */
  public GroupOptions setHeartbeatMs(int heartbeatMs) {
    this.heartbeatMs = Checks.range("heartbeatMs", heartbeatMs, 5, 10_000);
    return this;
  }

  public int getLeaseMs() {
    return leaseMs;
  }

  /**
   * How long a backup's answer to a heartbeat lets the primary acknowledge, from when that
   * heartbeat was sent, 20 ms to 5 min; default {@value #DEFAULT_LEASE_MS}.
   */
  public GroupOptions setLeaseMs(int leaseMs) {
    this.leaseMs = Checks.range("leaseMs", leaseMs, 20, 300_000);
    return this;
  }

  public int getTakeoverMs() {
    return takeoverMs;
  }

  /**
   * How long a primary may be silent until a backup takes over, 30 ms to 10 min, at least 1.2 times
   * the lease, as clocks of two machines do not run at the same pace; default {@value
   * #DEFAULT_TAKEOVER_MS}. A primary whose process is gone is replaced at once.
   */
  public GroupOptions setTakeoverMs(int takeoverMs) {
    this.takeoverMs = Checks.range("takeoverMs", takeoverMs, 30, 600_000);
    return this;
  }

  public int getHandBackMs() {
    return handBackMs;
  }

  /**
   * How long the first of {@link #setMembers} must have been in sync without a break until the
   * primary hands the role to it: 0 for never, or 3 times {@code takeoverMs} to 1 day; default
   * {@value #DEFAULT_HAND_BACK_MS}.
   *
   * <p>Nothing is lost and nothing is handled twice: what has no reply yet is sent again by its
   * clients, as after a failure. But for some ms nobody accepts, and until the others are in sync
   * with the new primary it alone holds what it acknowledges; so it is off unless several groups
   * are to share the members. A member that has handed over waits twice as long the next time, up
   * to 64 times this: a first member that keeps failing does not keep moving the role.
   */
  public GroupOptions setHandBackMs(int handBackMs) {
    this.handBackMs = Checks.range("handBackMs", handBackMs, 0, 86_400_000);
    return this;
  }

  public int getBatchBytes() {
    return batchBytes;
  }

  /** Size at which a batch is closed, 1 KiB to 4 MiB; default {@value #DEFAULT_BATCH_BYTES}. */
  public GroupOptions setBatchBytes(int batchBytes) {
    this.batchBytes = Checks.range("batchBytes", batchBytes, 1 << 10, 4 << 20);
    return this;
  }

  public int getMaxBatches() {
    return maxBatches;
  }

  /**
   * Batches that may be unacknowledged, 1 to 1024; default {@value #DEFAULT_MAX_BATCHES}. While as
   * many are, messages gather in the next.
   */
  public GroupOptions setMaxBatches(int maxBatches) {
    this.maxBatches = Checks.range("maxBatches", maxBatches, 1, 1024);
    return this;
  }

  public int getMaxMessageBytes() {
    return maxMessageBytes;
  }

  /** Size of a message or a reply, 1 B to 4 MiB; default {@value #DEFAULT_MAX_MESSAGE_BYTES}. */
  public GroupOptions setMaxMessageBytes(int maxMessageBytes) {
    this.maxMessageBytes = Checks.range("maxMessageBytes", maxMessageBytes, 1, 4 << 20);
    return this;
  }

  public int getReplyWindow() {
    return replyWindow;
  }

  /**
   * Replies kept per client, 1 to 1,048,576; default {@value #DEFAULT_REPLY_WINDOW}. A client may
   * have as many messages without a reply.
   */
  public GroupOptions setReplyWindow(int replyWindow) {
    this.replyWindow = Checks.range("replyWindow", replyWindow, 1, 1 << 20);
    return this;
  }

  public long getSnapshotBytes() {
    return snapshotBytes;
  }

  /**
   * Log between two snapshots, 1 MiB to 1 TiB; default {@value #DEFAULT_SNAPSHOT_BYTES}. Log before
   * the last but one snapshot is deleted.
   */
  public GroupOptions setSnapshotBytes(long snapshotBytes) {
    this.snapshotBytes = Checks.range("snapshotBytes", snapshotBytes, 1L << 20, 1L << 40);
    return this;
  }

  public ThreadOptions getThreads() {
    return threads;
  }

  /** The threads it has beside its own; default none. Copied. */
  public GroupOptions setThreads(ThreadOptions threads) {
    this.threads = new ThreadOptions(Checks.notNull("threads", threads));
    return this;
  }
}
