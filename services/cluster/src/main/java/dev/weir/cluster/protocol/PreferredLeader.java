package dev.weir.cluster.protocol;

/**
 * Preferred-leader election: tells a primary when to step down in favour of the first member of the
 * group. It does not decide who becomes primary: after the step down the usual rules hold, and the
 * preferred member can take over at once.
 */
final class PreferredLeader {
  private static final int MAX_DOUBLINGS = 6;

  /** After more silence the preferred member may be gone, and nobody would take over. */
  private static final int MAX_SILENT_HEARTBEATS = 2;

  private final ReplicaState replica;
  private final long waitNs;

  /**
   * How often this process has stepped down for the preferred member: each time it waits longer.
   */
  private int handed;

  /** Since when the preferred member is ready without a break, ns; null if it is not ready. */
  private Long readySinceNs;

  /**
   * @param waitNs how long the preferred member must be ready; 0 for never
   */
  PreferredLeader(ReplicaState replica, long waitNs) {
    this.replica = replica;
    this.waitNs = waitNs;
  }

  /** Index of the preferred member. */
  int preferred() {
    return replica.membership().preferred();
  }

  /** Whether this primary must step down now. */
  boolean isDue(InSyncSet inSync, long nowNs) {
    if (waitNs == 0 || replica.self == preferred()) {
      return false;
    }
    Member preferred = replica.member(preferred());
    if (!inSync.isSettled()
        || !inSync.isChanged()
        || !inSync.mayAccept(nowNs)
        || !isReady(preferred)) {
      readySinceNs = null;
      return false;
    }
    if (readySinceNs == null) {
      readySinceNs = nowNs;
    }
    boolean due =
        nowNs - readySinceNs >= waitNs << Math.min(handed, MAX_DOUBLINGS)
            && inSync.hasAnswered(preferred, MAX_SILENT_HEARTBEATS * replica.heartbeatNs, nowNs);
    handed += due ? 1 : 0;
    return due;
  }

  /** Whether a member has all acknowledged messages and knows that it has. */
  private boolean isReady(Member member) {
    return member.said() != null
        && member.said().has(Control.CONTINUOUS)
        && replica.record().holds(member.index);
  }

  /** Index of the ready member that has said to hold most; -1 if none is ready. */
  int mostReady() {
    int most = -1;
    for (int i = 0; i < Membership.SLOTS; i++) {
      boolean ready = i != replica.self && isReady(replica.member(i));
      if (ready && (most < 0 || said(i).compareTo(said(most)) > 0)) {
        most = i;
      }
    }
    return most;
  }

  private LogEnd said(int member) {
    return replica.member(member).said().end();
  }
}
