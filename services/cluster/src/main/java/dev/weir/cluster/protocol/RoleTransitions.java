package dev.weir.cluster.protocol;

import dev.weir.cluster.Role;

/**
 * Changes the role, the record and the in-sync set of one replica, and tells the outside of each
 * change through {@link ProtocolEffects}. The rules say when: {@link Candidacy}, {@link Election},
 * {@link Following}, {@link InSyncSet} and {@link PreferredLeader}.
 */
final class RoleTransitions {
  private final ReplicaState replica;
  private final ProtocolEffects effects;
  private final Outbox outbox;
  private final PreferredLeader preferredLeader;

  /** A member that is to take over may have to ask for votes again: see {@link #rest}. */
  private static final int YIELD_TURNS = Membership.SLOTS + 1;

  /** Why the replica has its role; one line for people. */
  private String reason = "has just started";

  /** Before this time the replica does not stand, with or without votes, if it {@link #isHeld}. */
  private long notBeforeNs;

  /** Whether it gave up the role, and has not followed another primary since. */
  private boolean isHeld;

  /** Before this time the replica does not ask for votes again. */
  private long retryNs;

  /**
   * @param handBackNs how long the preferred member must be ready before it gets the role; 0 for
   *     never
   */
  RoleTransitions(
      ReplicaState replica, ProtocolEffects effects, Outbox outbox, long handBackNs, long nowNs) {
    this.replica = replica;
    this.effects = effects;
    this.outbox = outbox;
    preferredLeader = new PreferredLeader(replica, handBackNs);
    notBeforeNs = nowNs;
    retryNs = nowNs;
  }

  String reason(long nowNs) {
    return replica.inSync() != null ? replica.inSync().reason(nowNs) : reason;
  }

  /** Forbids the replica to stand until a time, or until it has followed another primary. */
  private void holdUntil(long timeNs) {
    notBeforeNs = timeNs;
    isHeld = true;
  }

  /**
   * Gives up any role but that of a backup, and does not stand for two takeover times.
   *
   * @param successor the member that is to take over from this primary; -1 for any
   */
  void stepDown(String why, int successor, long nowNs) {
    holdUntil(nowNs + 2 * replica.takeoverNs);
    if (replica.role() != Role.BACKUP) {
      rest(why, successor < 0 ? preferredLeader.mostReady() : successor, nowNs);
    }
  }

  /**
   * A member says that it is not primary. If it was, it may have named another one to take over.
   */
  void onStepDown(Member member, Control said, long nowNs) {
    Following following = replica.following();
    if (said.has(Control.YIELD)
        && replica.role() == Role.BACKUP
        && following.isProcess(member.index, said.sender())) {
      // Both would stand at once, and might keep each other from winning for a while.
      long untilNs = nowNs + YIELD_TURNS * replica.askAgainNs;
      holdUntil(isHeld ? Math.max(notBeforeNs, untilNs) : untilNs);
    }
    following.onStepDown(member.index, said.sender());
  }

  /** Makes the decisions that the time or the last event allows. */
  void advance(long nowNs) {
    if (replica.role() == Role.BACKUP && replica.following().isLost(replica, nowNs)) {
      rest("lost " + replica.name(replica.following().primary()), nowNs);
    }
    switch (replica.role()) {
      case PRIMARY -> {
        change(replica.inSync().tick(nowNs), nowNs);
        returnToPreferred(nowNs);
      }
      case WAITING -> stand(nowNs);
      case CANDIDATE -> campaign(nowNs);
      case BACKUP, WITNESS -> {}
    }
  }

  private void returnToPreferred(long nowNs) {
    if (preferredLeader.isDue(replica.inSync(), nowNs)) {
      holdUntil(nowNs + replica.takeoverNs);
      int successor = preferredLeader.preferred();
      rest("hands over to " + replica.name(successor), successor, nowNs);
    }
  }

  private void campaign(long nowNs) {
    if (Candidacy.of(replica, nowNs).kind() == Candidacy.Kind.ALONE) {
      lead(replica.newEpoch(), nowNs);
    } else if (replica.election().isLost(nowNs, replica.others(member -> member.said() == null))) {
      rest("has not enough votes", nowNs);
    } else {
      askForVotes(nowNs);
    }
  }

  private void stand(long nowNs) {
    if (isHeld && nowNs - notBeforeNs < 0) {
      return;
    }
    Candidacy candidacy = Candidacy.of(replica, nowNs);
    switch (candidacy.kind()) {
      case NONE -> reason = candidacy.reason();
      case ALONE -> lead(replica.newEpoch(), nowNs);
      case ONE, ALL -> {
        if (nowNs - retryNs >= 0) {
          reason = "asks " + replica.names(candidacy.voters()) + " for votes";
          replica.becomeCandidate(
              new Election(candidacy, replica.newEpoch(), nowNs, nowNs + replica.leaseNs));
          askForVotes(nowNs);
        }
      }
    }
  }

  private void askForVotes(long nowNs) {
    Election election = replica.election();
    GroupRecord proposed = replica.record().follow(election.epoch());
    int voters = election.votersToAsk(nowNs, replica.askAgainNs);
    outbox.sendAll(voters, Control.Type.VOTE_REQUEST, proposed, 0);
  }

  /** Makes this replica the primary of an epoch. */
  void lead(long epoch, long nowNs) {
    GroupRecord alone = GroupRecord.ofPrimary(replica.self, epoch, replica.record().membership());
    save(alone.withInSync(alone.inSync(), 0, replica.disks(alone.inSync()), 0));
    replica.becomePrimary(new InSyncSet(replica, nowNs));
    effects.lead(epoch);
    outbox.broadcast(nowNs);
  }

  /** Makes this replica a backup of the primary that it follows. */
  void becomeBackup() {
    int primary = replica.following().primary();
    replica.become(Role.BACKUP);
    // Another one had its turn. When that gives up the role too, nobody else may be there.
    isHeld = false;
    reason = "follows " + replica.name(primary);
    effects.follow(primary, replica.record().epoch());
  }

  /** Gives up any role and tells the other members at once. */
  void rest(String why, long nowNs) {
    rest(why, -1, nowNs);
  }

  private void rest(String why, int successor, long nowNs) {
    Role role = replica.role();
    if (role == Role.CANDIDATE) {
      retryNs = nowNs + replica.askAgainNs * (1 + replica.self);
    }
    replica.become(Role.WAITING);
    reason = why;
    if (role == Role.PRIMARY || role == Role.BACKUP) {
      effects.idle(replica.record().epoch(), why);
    }
    if (role == Role.PRIMARY && successor >= 0) {
      outbox.broadcastStepDown(successor, nowNs);
    } else if (role == Role.PRIMARY || role == Role.CANDIDATE) {
      outbox.broadcast(nowNs);
    }
  }

  /** Carries out a change of the in-sync set of this primary; null for none. */
  void change(InSyncSet.Change change, long nowNs) {
    if (change == null) {
      return;
    }
    for (int i = 0; i < Membership.SLOTS; i++) {
      if ((change.gone() & 1 << i) != 0) {
        replica.member(i).endPromise();
      }
    }
    if (change.ask() == 0) {
      save(change.set());
      outbox.broadcast(nowNs);
    } else {
      outbox.sendAll(change.ask(), Control.Type.IN_SYNC, change.set(), 0);
    }
  }

  /** Stores a record, unless it is stored already. Who is no member any more is told so. */
  void save(GroupRecord changed) {
    if (changed.equals(replica.record())) {
      return;
    }
    Membership before = replica.membership();
    int connected = replica.others(Member::isConnected);
    effects.save(changed);
    int slots = before.differing(replica.membership(changed));
    boolean isFirstChange = replica.record().membership() == null && changed.membership() != null;
    if (slots == 0) {
      replica.stored(changed);
      if (isFirstChange) {
        // The options had these members already, but others may not know them yet.
        effects.members(replica.membership());
      }
      return;
    }
    if (replica.inSync() != null) {
      replica.inSync().replaced(slots);
    }
    replica.stored(changed);
    for (int i = 0; i < Membership.SLOTS; i++) {
      if ((slots & connected & 1 << i) != 0) {
        outbox.farewell(i);
      }
    }
    effects.members(replica.membership());
  }
}
