package dev.weir.cluster;

/**
 * When a primary that is not the preferred member hands the role to that one, the first of the
 * group. It decides nothing about who may be primary: it only asks for a step down, after which the
 * rules for any other loss of a primary hold, and the preferred member is in a position to take
 * over at once.
 */
final class HandBack {
  /** Index of the preferred member. */
  static final int PREFERRED = 0;

  private static final int MAX_DOUBLINGS = 6;

  /** It may be gone after more silence: who hands over to nobody has lost its own claim. */
  private static final int MAX_SILENT_HEARTBEATS = 2;

  private final ReplicaState replica;
  private final long waitNs;
  private int handed;

  /** The process of the preferred member that has been ready without a break; 0 if none. */
  private long ready;

  private long readySinceNs;

  /**
   * @param waitNs 0 for never
   */
  HandBack(ReplicaState replica, long waitNs) {
    this.replica = replica;
    this.waitNs = waitNs;
  }

  /** This replica has become primary: the wait begins anew. */
  void begin() {
    ready = 0;
  }

  /** Whether this primary should step down now; it does if told so. */
  boolean isDue(InSyncSet inSync, long nowNs) {
    if (waitNs == 0 || replica.self == PREFERRED) {
      return false;
    }
    Member preferred = replica.member(PREFERRED);
    if (!inSync.isSettled() || !inSync.mayAccept(nowNs) || !isReady(preferred)) {
      ready = 0;
      return false;
    }
    if (ready != preferred.process) {
      ready = preferred.process;
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
    return preferred.connected
        && preferred.said != null
        && preferred.said.has(Control.CONTINUOUS)
        && preferred.said.epoch() == replica.record.epoch()
        && replica.record.holds(PREFERRED);
  }
}
