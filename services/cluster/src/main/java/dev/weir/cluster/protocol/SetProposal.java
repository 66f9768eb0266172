package dev.weir.cluster.protocol;

import java.util.Objects;

/** A set that members have to store before it is in use, and who has not stored it yet. */
final class SetProposal {
  private final GroupRecord set;

  /** Bit set of the members that have not stored it. */
  private int asked;

  private long nextNs;

  /**
   * @param asked bit set of the members that have to store it
   */
  SetProposal(GroupRecord set, int asked, long nowNs) {
    this.set = set;
    this.asked = asked;
    this.nextNs = nowNs;
  }

  GroupRecord set() {
    return set;
  }

  boolean isOf(int inSync, long voter, Membership members) {
    return set.inSync() == inSync
        && set.voter() == voter
        && Objects.equals(set.membership(), members);
  }

  boolean isAnsweredBy(Control answer) {
    return answer.epoch() == set.epoch() && answer.record().version() == set.version();
  }

  boolean isStored() {
    return asked == 0;
  }

  /**
   * Nobody else need be asked any more: another one may have become silent.
   *
   * @return whether all that had to store it have done so
   */
  boolean askOnly(int members) {
    asked &= members;
    return isStored();
  }

  /**
   * A member has stored it.
   *
   * @return whether others are to be asked from now on
   */
  boolean stored(int member) {
    int before = toAsk();
    asked &= ~member;
    return !isStored() && (before & toAsk()) == 0;
  }

  /** Whether it is time to ask, again after a heartbeat. */
  boolean isDue(long nowNs, long heartbeatNs) {
    if (nowNs - nextNs < 0) {
      return false;
    }
    nextNs = nowNs + heartbeatNs;
    return true;
  }

  /** Who leaves stores the set last: it stands no more then, and those who stay have to. */
  int toAsk() {
    int staying = asked & set.inSync();
    return staying != 0 ? staying : asked;
  }
}
