package dev.weir.cluster.protocol;

/**
 * When a primary that is not the preferred member hands the role to that one, the first of the
 * group. It decides nothing about who may be primary: it only asks for a step down, after which the
 * rules for any other loss of a primary hold, and the preferred member is in a position to take
 * over at once.
 */
final class PreferredLeader {
  /** Index of the preferred member. */
  static final int PREFERRED = 0;

  private static final int MAX_DOUBLINGS = 6;

  /** It may be gone after more silence: who hands over to nobody has lost its own candidacy. */
  private static final int MAX_SILENT_HEARTBEATS = 2;

  private final ReplicaState replica;
  private final long waitNs;
  private int handed;

  /** Since when the preferred member has been ready without a break; null if it is not. */
  private Long readySinceNs;

  /**
   * @param waitNs 0 for never
   */
  PreferredLeader(ReplicaState replica, long waitNs) {
    this.replica = replica;
    this.waitNs = waitNs;
  }

  /** Whether this primary should step down now; it does if told so. */
  boolean isDue(InSyncSet inSync, long nowNs) {
    if (waitNs == 0 || replica.self == PREFERRED) {
      return false;
    }
    Member preferred = replica.member(PREFERRED);
    if (!inSync.isSettled() || !inSync.mayAccept(nowNs) || !isReady(preferred)) {
      readySinceNs = null;
      return false;
    }
    if (readySinceNs == null) {
      readySinceNs = nowNs;
    }
    boolean due =
        nowNs - readySinceNs >= waitNs << Math.min(handed, MAX_DOUBLINGS)
            && nowNs - preferred.leaseNs <= MAX_SILENT_HEARTBEATS * replica.heartbeatNs;
    handed += due ? 1 : 0;
    return due;
  }

  /** It holds all that was acknowledged, and knows that it does. */
  private boolean isReady(Member preferred) {
    return preferred.said != null
        && preferred.said.has(Control.CONTINUOUS)
        && replica.record().holds(PREFERRED);
  }
}
