package dev.weir.cluster.protocol;

/** One election of a candidate: whom it asks for a vote in an epoch, and the votes so far. */
final class Election {
  private final Candidacy candidacy;
  private final long epoch;
  private final long endNs;
  private long askNs;
  private int granted;
  private int denied;

  /**
   * @param endNs without enough votes by then the election is lost
   */
  Election(Candidacy candidacy, long epoch, long nowNs, long endNs) {
    this.candidacy = candidacy;
    this.epoch = epoch;
    this.askNs = nowNs;
    this.endNs = endNs;
  }

  long epoch() {
    return epoch;
  }

  /** Bit set of the voters to ask now: once in an interval those who have not answered. */
  int votersToAsk(long nowNs, long intervalNs) {
    if (nowNs - askNs < 0) {
      return 0;
    }
    askNs = nowNs + intervalNs;
    return candidacy.voters() & ~granted & ~denied;
  }

  /**
   * Takes in an answer; those of other elections are ignored.
   *
   * @param counts whether the vote of one member would count if not all are needed
   * @return whether the election is won now
   */
  boolean isWonBy(Member voter, Control vote, boolean counts) {
    if (vote.epoch() != epoch) {
      return false;
    }
    if (vote.has(Control.GRANTED) && (needsAll() || counts)) {
      granted |= voter.bit;
    } else {
      denied |= voter.bit;
    }
    int counted = granted & candidacy.voters();
    return needsAll() ? counted == candidacy.voters() : counted != 0;
  }

  /**
   * Whether there are not enough votes.
   *
   * @param silent bit set of the members that are not there. If one vote is enough, nobody waits
   *     for theirs: who else has denied its vote may give it when it is asked again
   */
  boolean isLost(long nowNs, int silent) {
    int refused = denied & candidacy.voters();
    boolean lost = needsAll() ? refused != 0 : (candidacy.voters() & ~denied & ~silent) == 0;
    return lost || nowNs - endNs >= 0;
  }

  private boolean needsAll() {
    return candidacy.kind() == Candidacy.Kind.ALL;
  }
}
