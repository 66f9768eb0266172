package dev.weir.cluster.protocol;

/** The attempts of one replica to become primary: one election at a time, with pauses between. */
final class Election {
  private final ReplicaState replica;

  /** Of the election in progress; null if there is none. */
  private Candidacy candidacy;

  private long epoch;
  private long endNs;
  private long askNs;
  private int granted;
  private int denied;

  /** Before this time the replica does not stand, with or without votes. */
  private long notBeforeNs;

  /** Before this time the replica does not ask for votes again. */
  private long retryNs;

  Election(ReplicaState replica, long nowNs) {
    this.replica = replica;
    notBeforeNs = nowNs;
    retryNs = nowNs;
  }

  /** Forbids the replica to stand for a while. */
  void holdUntil(long timeNs) {
    notBeforeNs = timeNs;
  }

  boolean mayStand(long nowNs) {
    return nowNs - notBeforeNs >= 0;
  }

  boolean mayAskForVotes(long nowNs) {
    return nowNs - retryNs >= 0;
  }

  /** Starts an election in a new epoch and asks the voters. */
  void start(Candidacy started, long nowNs) {
    candidacy = started;
    epoch = replica.newEpoch();
    endNs = nowNs + replica.leaseNs;
    askNs = nowNs;
    granted = 0;
    denied = 0;
    ask(nowNs);
  }

  /** Ends the election in progress, if there is one. */
  void end() {
    candidacy = null;
  }

  /** Ends the election in progress without success; the next one has to wait. */
  void giveUp(long nowNs) {
    candidacy = null;
    retryNs = nowNs + replica.heartbeatNs * (1 + replica.self);
  }

  /** Whether an election is in progress in an epoch below the given one. */
  boolean isBelow(long otherEpoch) {
    return candidacy != null && otherEpoch > epoch;
  }

  long epoch() {
    return epoch;
  }

  /** Asks the voters who have not answered, once in a heartbeat. */
  void ask(long nowNs) {
    if (nowNs - askNs < 0) {
      return;
    }
    askNs = nowNs + replica.heartbeatNs;
    GroupRecord proposed = replica.record().follow(epoch);
    for (int i = 0; i < replica.size; i++) {
      Member member = replica.member(i);
      if ((candidacy.voters() & ~granted & ~denied & member.bit) != 0 && member.connected) {
        replica.send(member, Control.Type.VOTE_REQUEST, proposed, 0, 0);
      }
    }
  }

  /**
   * Counts a vote; votes of other elections are ignored.
   *
   * @return whether the election is won now
   */
  boolean isWonBy(Member voter, Control vote) {
    if (candidacy == null || vote.epoch() != epoch) {
      return false;
    }
    boolean counts = candidacy.kind() == Candidacy.Kind.ALL || replica.hasVote(voter);
    if (vote.has(Control.GRANTED) && counts) {
      granted |= voter.bit;
    } else {
      denied |= voter.bit;
    }
    int counted = granted & candidacy.voters();
    return candidacy.kind() == Candidacy.Kind.ALL ? counted == candidacy.voters() : counted != 0;
  }

  boolean isLost(long nowNs) {
    int refused = denied & candidacy.voters();
    return nowNs - endNs >= 0
        || (candidacy.kind() == Candidacy.Kind.ALL ? refused != 0 : refused == candidacy.voters());
  }
}
