package dev.weir.cluster.protocol;

/**
 * How a replica stands to the primary it follows, or followed last.
 *
 * <p>It is <em>continuous</em> if it holds all that primary acknowledged and will acknowledge while
 * it counts this replica in: this very process was told by it that it is in sync, at a moment when
 * its log reached as far as the primary's. What it knows from its disk alone does not do: a process
 * that was killed may have lost the end of its log, and may have been given up since.
 */
final class Following {
  /** How it was lost. */
  enum Loss {
    NONE,
    /** Its process is proven gone. */
    GONE,
    /** It says itself that it is not primary any more. */
    STEPPED_DOWN
  }

  final int primary;
  final long epoch;
  final long process;

  /** When it was last heard of as primary, or could be heard again after a stop of this thread. */
  long heardNs = Member.NEVER;

  /** When the last heartbeat was sent that the primary vouched for, see {@link Control#VOUCHED}. */
  long vouchedNs = Member.NEVER;

  Loss loss = Loss.NONE;
  boolean continuous;

  Following(int primary, long epoch, long process) {
    this.primary = primary;
    this.epoch = epoch;
    this.process = process;
  }

  static Following nobody() {
    return new Following(-1, 0, 0);
  }

  boolean isProcess(int itsPrimary, long itsProcess) {
    return primary == itsPrimary && process == itsProcess;
  }

  boolean is(int itsPrimary, long itsEpoch, long itsProcess) {
    return epoch == itsEpoch && isProcess(itsPrimary, itsProcess);
  }

  void heard(long nowNs) {
    heardNs = nowNs;
    loss = Loss.NONE;
  }

  /** Proven gone, or silent for as long as a takeover takes. */
  boolean isLost(ReplicaState replica, long nowNs) {
    return loss != Loss.NONE || !replica.isWithinTakeover(heardNs, nowNs);
  }

  /**
   * Stores what the primary tells of the in-sync set, and sees whether the replica may rely on it.
   */
  void told(ReplicaState replica, Control control) {
    GroupRecord before = replica.record();
    GroupRecord known = before.learn(control);
    boolean next =
        known.inSyncEpoch() == before.inSyncEpoch() && known.version() <= before.version() + 1;
    meetAnew(replica, next ? known.inSync() & ~before.inSync() : known.inSync());
    replica.save(known.follow(control.epoch()));
    continuous &= next && known.holds(replica.self);
    if (!continuous
        && control.receiver() == replica.process
        && control.version() == known.version()
        && control.holds(replica.self)
        && replica.end().compareTo(control.end()) >= 0) {
      continuous = true;
    }
  }

  /** Members that came into the set since it was known last, or may have left it and come back. */
  private void meetAnew(ReplicaState replica, int members) {
    for (int i = 0; i < replica.size; i++) {
      if ((members & 1 << i) != 0 && i != primary) {
        replica.member(i).join();
      }
    }
  }
}
