package dev.weir.cluster.protocol;

import java.util.Objects;

/** A set that members have to store before it is in use, and who has not stored it yet. */
final class SetProposal {
  private final GroupRecord set;

  /** Bit set of the members that have stored it. */
  private int storedBy;

  /** Bit set of the members that have to store it before it is in use, and have not. */
  private int missing;

  private long nextNs;

  SetProposal(GroupRecord set, long nowNs) {
    this.set = set;
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

  /**
   * Sets who has to store it, which may be others than before: one may have become silent.
   *
   * @param consenting bit set
   * @return whether all of them have done so
   */
  boolean isStoredBy(int consenting) {
    missing = consenting & ~storedBy;
    return missing == 0;
  }

  boolean isStored() {
    return missing == 0;
  }

  /**
   * A member has stored it.
   *
   * @return whether others are to be asked from now on
   */
  boolean stored(int member) {
    int before = toAsk();
    storedBy |= member;
    missing &= ~member;
    return !isStored() && (before & toAsk()) == 0;
  }

  /** Whether it is time to ask, again after an interval. */
  boolean isDue(long nowNs, long intervalNs) {
    if (nowNs - nextNs < 0) {
      return false;
    }
    nextNs = nowNs + intervalNs;
    return true;
  }

  /** Who leaves stores the set last: it stands no more then, and those who stay have to. */
  int toAsk() {
    int staying = missing & set.inSync();
    return staying != 0 ? staying : missing;
  }
}
