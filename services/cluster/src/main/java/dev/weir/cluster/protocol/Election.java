package dev.weir.cluster.protocol;

/** One attempt to become primary. */
final class Election {
  final long epoch;
  private final Candidacy candidacy;
  private final long endNs;
  private int granted;
  private int denied;
  private long askNs;

  /**
   * @param nowNs also when the voters are asked first
   * @param endNs when it is given up
   */
  Election(long epoch, Candidacy candidacy, long nowNs, long endNs) {
    this.epoch = epoch;
    this.candidacy = candidacy;
    this.endNs = endNs;
    askNs = nowNs;
  }

  /** Asks those who have not answered, once in a heartbeat. */
  void ask(ReplicaState replica, long nowNs) {
    if (nowNs - askNs < 0) {
      return;
    }
    askNs = nowNs + replica.heartbeatNs;
    GroupRecord record = replica.record();
    GroupRecord proposed =
        new GroupRecord(epoch, -1, record.inSyncEpoch(), record.inSync(), record.version());
    for (int i = 0; i < replica.size; i++) {
      Member member = replica.member(i);
      if ((candidacy.voters() & ~granted & ~denied & member.bit) != 0 && member.connected) {
        replica.send(member, Control.Type.VOTE_REQUEST, proposed, 0, 0);
      }
    }
  }

  void voted(Member member, boolean isGranted) {
    if (isGranted) {
      granted |= member.bit;
    } else {
      denied |= member.bit;
    }
  }

  boolean isWon() {
    int counted = granted & candidacy.voters();
    return candidacy.kind() == Candidacy.Kind.ALL ? counted == candidacy.voters() : counted != 0;
  }

  boolean isLost(long nowNs) {
    int refused = denied & candidacy.voters();
    return nowNs - endNs >= 0
        || (candidacy.kind() == Candidacy.Kind.ALL ? refused != 0 : refused == candidacy.voters());
  }
}
