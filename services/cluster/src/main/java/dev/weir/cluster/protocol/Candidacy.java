package dev.weir.cluster.protocol;

/**
 * The votes that a replica without a primary needs to become primary.
 *
 * @param kind whose votes
 * @param voters bit set of the members to ask
 * @param reason why the replica does not stand, one line for people; null if it does
 */
record Candidacy(Kind kind, int voters, String reason) {

  enum Kind {
    /** The replica must not stand. */
    NONE,
    /** No vote is needed. */
    ALONE,
    /** The vote of one voter. */
    ONE,
    /** The votes of all voters. */
    ALL
  }

  /** The votes needed now by a replica without a primary. */
  static Candidacy of(ReplicaState replica, long nowNs) {
    GroupRecord record = replica.record();
    if (!replica.isMember()) {
      return none("is not a member any more, the members are " + replica.membership());
    }
    if (record.hasVoted()) {
      return none(
          "voted for "
              + replica.name(record.votedFor())
              + " in epoch "
              + record.epoch()
              + " and waits to hear from it, with the disk it had then, what came of that");
    }
    if (replica.isWitness(replica.self)) {
      return none("is the witness, which votes only, and hears of no primary");
    }
    if (record.isBlank()) {
      return ofBlank(replica);
    }
    if (!record.holds(replica.self)) {
      return none("is not in sync, waits for " + replica.names(record.inSync()));
    }
    if (!replica.following().isContinuous() && isOfOtherDisks(replica)) {
      return none(
          "waits for the disks of "
              + replica.names(record.inSync())
              + ", of which one came back with another disk: the first may hold acknowledged"
              + " messages; force-primary goes on without them");
    }
    if (record.inSync() == 1 << replica.self) {
      return ofAlone(replica, nowNs);
    }
    return replica.following().isContinuous() ? ofContinuous(replica, nowNs) : ofRestarted(replica);
  }

  private static Candidacy none(String reason) {
    return new Candidacy(Kind.NONE, 0, reason);
  }

  /** The first primary of a group, by the votes of all: one of them could have a history. */
  private static Candidacy ofBlank(ReplicaState replica) {
    int missing =
        replica.others(
            member -> {
              Control said = member.said();
              return said == null || !said.record().isBlank() || !isEmpty(said.end());
            });
    if (missing != 0) {
      return none("has no history, waits for " + replica.names(missing));
    }
    if (!isEmpty(replica.end())) {
      return none("has messages but no record of its group, waits for a primary");
    }
    int first = replica.membership().preferred();
    if (replica.self != first) {
      return none("has no history, waits for " + replica.name(first) + " to begin");
    }
    return new Candidacy(replica.size() == 1 ? Kind.ALONE : Kind.ALL, replica.others(), null);
  }

  /** Whether not all members in sync, this one included, are there with the disks they had then. */
  private static boolean isOfOtherDisks(ReplicaState replica) {
    GroupRecord record = replica.record();
    int silent = silent(replica) & record.inSync();
    return silent == 0 && record.disks() != 0 && record.disks() != replica.disks(record.inSync());
  }

  /** Members of whom this replica has heard nothing since they connected. */
  private static int silent(ReplicaState replica) {
    return replica.others(member -> member.said() == null);
  }

  private static boolean isEmpty(LogEnd end) {
    return end.equals(LogEnd.EMPTY);
  }

  /**
   * It holds all that was acknowledged, unless the primary dropped it, which it does not do to a
   * living process without the consent of the third member, who then refuses its vote.
   *
   * <p>No vote is needed if no other process can have one to take over with: of two, and when all
   * that are in sync are gone but this one. As nobody comes into the set without the consent of
   * those in it, a process that is gone does not come back into it behind this one's back. Of three
   * the primary must have vouched for this one, or the third could have consented to drop it. The
   * same holds of two whose primary leaves out who is silent.
   */
  private static Candidacy ofContinuous(ReplicaState replica, long nowNs) {
    Following following = replica.following();
    if (!following.isLost(replica, nowNs)) {
      return none("hears of primary " + replica.name(following.primary()));
    }
    boolean decides = replica.size() == 2 && !replica.primaryContinues();
    if (decides || isLastInSync(replica, nowNs)) {
      return new Candidacy(Kind.ALONE, 0, null);
    }
    if (replica.primaryContinues()) {
      return isStillCounted(replica)
          ? new Candidacy(Kind.ALONE, 0, null)
          : none(
              "waits for "
                  + replica.name(following.primary())
                  + ", with the disk it had then: it may have continued without this member;"
                  + " force-primary goes on without what it held");
    }
    int voters = replica.others(replica::hasVote) & ~silent(replica);
    return voters == 0
        ? none(
            "waits for a vote of one of "
                + replica.names(replica.others())
                + ", with the disk it had then")
        : new Candidacy(Kind.ONE, voters, null);
  }

  /**
   * Whether the primary lost, which has stepped down or restarted, shows that it has not left this
   * replica out. Without disks nobody has what it acknowledged alone.
   */
  private static boolean isStillCounted(ReplicaState replica) {
    Following following = replica.following();
    Control said = replica.member(following.primary()).said();
    if (said == null || said.primary() >= 0) {
      return false;
    }
    return said.disk() == following.disk()
        ? replica.record().compareInSync(said.record()) == 0
        : !replica.persistent;
  }

  private static boolean isLastInSync(ReplicaState replica, long nowNs) {
    Following following = replica.following();
    int gone = replica.others(member -> member.isRefused() && replica.hasVote(member));
    int needed = replica.record().inSync() & replica.others() & ~gone;
    return following.isGone()
        && following.hasFreshPromise(replica, nowNs)
        && (needed & ~(1 << following.primary())) == 0;
  }

  /**
   * It needs nobody, by the rules. An operator may have forced another member meanwhile, see {@link
   * ForcedRecord}: so a process that has just started lets the others speak first.
   */
  private static Candidacy ofAlone(ReplicaState replica, long nowNs) {
    int silent = silent(replica);
    return silent != 0 && replica.isWithinTakeover(replica.startNs, nowNs)
        ? none("has just started, asks " + replica.names(silent) + " for a later primary")
        : new Candidacy(Kind.ALONE, 0, null);
  }

  /** All that were in sync have to be there, and the one that holds most stands. */
  private static Candidacy ofRestarted(ReplicaState replica) {
    int needed = replica.record().inSync() & replica.others();
    for (int i = 0; i < Membership.SLOTS; i++) {
      Member member = replica.member(i);
      if ((needed & member.bit) != 0 && member.said() == null) {
        return none(
            "waits for "
                + replica.name(i)
                + ": it may hold messages acknowledged after this member was lost");
      }
      String reason = (needed & member.bit) == 0 ? null : ofRestarted(replica, member);
      if (reason != null) {
        return none(reason);
      }
    }
    return new Candidacy(Kind.ALL, needed, null);
  }

  private static String ofRestarted(ReplicaState replica, Member member) {
    Control said = member.said();
    String name = replica.name(member.index);
    if (said.record().isBlank()) {
      return "waits for "
          + name
          + ": it was in sync and has no history now; force-primary goes on without what it held";
    }
    if (said.primary() >= 0) {
      return name + " follows " + replica.name(said.primary());
    }
    int byEnd = said.end().compareTo(replica.end());
    if (byEnd > 0 || byEnd == 0 && member.index < replica.self) {
      return "waits for " + name + " to become primary";
    }
    return null;
  }
}
