package dev.weir.cluster.protocol;

/**
 * The relation of a replica to the primary that it follows, or followed last.
 *
 * <p>The relation is <em>continuous</em> while this process has all messages that the primary
 * acknowledged. It becomes continuous when the primary says that this very process is in sync, and
 * its log then reaches as far as the primary's. A record on disk is no proof of that: a killed
 * process may have lost the end of its log, and the primary may have dropped it from the set.
 */
final class Following {
  /** How the primary was lost. */
  enum Loss {
    NONE,
    /** The process of the primary is proven gone. */
    GONE,
    /** The process says that it is not primary any more. */
    STEPPED_DOWN
  }

  private final int primary;
  private final long epoch;
  private final long process;
  private final long disk;

  /** When the primary was last heard of, or could be heard again after a stop of this process. */
  private long heardNs = Member.NEVER;

  /** When the last heartbeat was sent that the primary answered with {@link Control#VOUCHED}. */
  private long promisedNs = Member.NEVER;

  /** Of a smaller set that is stored here and maybe not by the primary; 0 if there is none. */
  private long unprovenVersion;

  private Loss loss = Loss.NONE;
  private boolean continuous;

  private Following(int primary, long epoch, long process, long disk) {
    this.primary = primary;
    this.epoch = epoch;
    this.process = process;
    this.disk = disk;
  }

  static Following nobody() {
    return new Following(-1, 0, 0, 0);
  }

  /**
   * The relation to a process that says in a heartbeat that it is primary; this one if the same.
   */
  Following to(int member, Control heartbeat) {
    return isOf(member, heartbeat.epoch()) && process == heartbeat.sender()
        ? this
        : new Following(member, heartbeat.epoch(), heartbeat.sender(), heartbeat.disk());
  }

  /** Index of the primary; -1 if this replica has followed nobody. */
  int primary() {
    return primary;
  }

  /** Id of the disk of that primary. */
  long disk() {
    return disk;
  }

  boolean isContinuous() {
    return continuous;
  }

  boolean isOf(int member, long itsEpoch) {
    return primary == member && epoch == itsEpoch;
  }

  boolean isProcess(int member, long itsProcess) {
    return primary == member && process == itsProcess;
  }

  void heard(long nowNs) {
    heardNs = nowNs;
    loss = Loss.NONE;
  }

  /** Counts the silence of the primary anew. */
  void restartTimer(long nowNs) {
    heardNs = nowNs;
  }

  /** A heartbeat that was sent then was answered with the promise of {@link Control#VOUCHED}. */
  void promised(long sentNs) {
    promisedNs = Math.max(promisedNs, sentNs);
  }

  /** This replica has stored a smaller set, which the primary has proposed. */
  void onSmallerSet(long version) {
    unprovenVersion = version;
  }

  /** The primary says that it has stored the set of this version. */
  void inUse(long version) {
    if (version >= unprovenVersion) {
      unprovenVersion = 0;
    }
  }

  /** A process of a member is proven gone. */
  void onGone(int member, long itsProcess) {
    if (isProcess(member, itsProcess)) {
      loss = Loss.GONE;
    }
  }

  /**
   * Another process with a member's name has been heard. If the process has the disk of the
   * primary, the primary is gone. If not, the primary may run on, on another machine.
   */
  void onRestart(int member, Control said, boolean persistent) {
    if (primary == member && (said.disk() == disk || !persistent)) {
      loss = Loss.GONE;
    }
  }

  /** A process says that it is not primary. */
  void onStepDown(int member, long itsProcess) {
    if (isProcess(member, itsProcess)) {
      loss = Loss.STEPPED_DOWN;
    }
  }

  /** This replica may have missed messages that another primary acknowledged. */
  void interrupt() {
    continuous = false;
  }

  /**
   * The primary tells its in-sync set.
   *
   * @param uninterrupted whether this replica is in the set, and was told of the set before it
   * @param complete whether the primary counts on this very process, whose log reaches its end
   */
  void told(boolean uninterrupted, boolean complete) {
    continuous = continuous && uninterrupted || complete;
  }

  boolean isGone() {
    return loss == Loss.GONE;
  }

  /**
   * Whether the primary promised within the lease not to drop this replica, and has the set that
   * this replica goes by. Without it, a member that leaves the set may follow the primary when that
   * is back.
   */
  boolean hasFreshPromise(ReplicaState replica, long nowNs) {
    return unprovenVersion == 0 && replica.isWithinLease(promisedNs, nowNs);
  }

  /** Whether the primary is proven gone, or silent for as long as a takeover takes. */
  boolean isLost(ReplicaState replica, long nowNs) {
    return loss != Loss.NONE || !replica.isWithinTakeover(heardNs, nowNs);
  }
}
