package dev.weir.cluster.protocol;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.PairPolicy;
import dev.weir.cluster.Role;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What one replica knows: its role and the state of that role, its stored record, the primary it
 * follows and the other members. {@link GroupMachine} changes it, all rules read it.
 */
final class ReplicaState {
  static final long NS_PER_MS = 1_000_000;

  private static final int ASKED_IN_LEASE = 12;
  private static final long LEAST_ASK_AGAIN_MS = 20;

  private final GroupOptions options;
  private final Supplier<LogEnd> end;
  private final Member[] members;

  final int self;

  /** Name of this member, which another one may have taken the slot of. */
  private final String selfName;

  /** Whether this process was started as one that votes only. */
  private final boolean votesOnly;

  final int minInSync;
  private final PairPolicy pairPolicy;

  final long heartbeatNs;

  /**
   * After this time a question that was not answered is asked again. It does not grow with
   * heartbeats that are far apart, which would make elections slow.
   */
  final long askAgainNs;

  final long leaseNs;
  final long takeoverNs;
  final long startNs;

  /** Names this process to the others; the next one of this member has another. */
  final long process;

  /** Names the disk of this replica. */
  final long disk;

  /** Whether a process that restarts has the disk that the one before it had. */
  final boolean persistent;

  private Role role = Role.WAITING;

  /** Of a primary; null otherwise. */
  private InSyncSet inSync;

  /** Of a candidate; null otherwise. */
  private Election election;

  private GroupRecord record;

  /** By the record. */
  private Membership membership;

  private Following following = Following.nobody();

  /** The highest epoch heard of or used in an election. */
  private long highestEpoch;

  /**
   * When this process went on after it was suspended with its clock. How long ago something before
   * that was, the clock does not tell.
   */
  private long resumedNs = Member.NEVER;

  ReplicaState(
      GroupOptions options,
      int self,
      GroupRecord record,
      long disk,
      Supplier<LogEnd> end,
      long nowNs) {
    this.disk = disk;
    this.persistent = options.isPersistence();
    this.options = options;
    this.self = self;
    this.record = record;
    this.end = end;
    membership = Membership.of(record, options);
    selfName = membership.name(self);
    votesOnly = isWitness(self);
    minInSync = options.getMinInSync();
    pairPolicy = options.getPairPolicy();
    heartbeatNs = options.getHeartbeatMs() * NS_PER_MS;
    leaseNs = options.getLeaseMs() * NS_PER_MS;
    askAgainNs =
        Math.min(heartbeatNs, Math.max(leaseNs / ASKED_IN_LEASE, LEAST_ASK_AGAIN_MS * NS_PER_MS));
    takeoverNs = options.getTakeoverMs() * NS_PER_MS;
    startNs = nowNs;
    process = nowNs;
    highestEpoch = record.epoch();
    members = new Member[Membership.SLOTS];
    for (int i = 0; i < members.length; i++) {
      members[i] = new Member(i);
    }
  }

  /** The members by another record. */
  Membership membership(GroupRecord other) {
    return Membership.of(other, options);
  }

  /** The members, as stored. */
  Membership membership() {
    return membership;
  }

  int size() {
    return membership.size();
  }

  /** Whether a member votes only, and holds no messages. */
  boolean isWitness(int member) {
    return member == membership.witness();
  }

  /** Whether this replica belongs to the group, as far as it knows. */
  boolean isMember() {
    return membership.name(self).equals(selfName);
  }

  /** Why this replica must end, one line for people; null if it need not. */
  String exclusion() {
    if (!isMember()) {
      return selfName + " is not a member any more, the members are " + membership;
    }
    return isWitness(self) == votesOnly
        ? null
        : selfName
            + (votesOnly
                ? " runs as a witness, and is a member that holds messages"
                : " runs as a member that holds messages, and is the witness");
  }

  /**
   * Of two: a primary leaves out a silent backup, and a backup does not take over from a silent
   * primary.
   */
  boolean primaryContinues() {
    return pairPolicy == PairPolicy.PRIMARY_CONTINUES && size() == 2;
  }

  Role role() {
    return role;
  }

  InSyncSet inSync() {
    return inSync;
  }

  Election election() {
    return election;
  }

  void becomePrimary(InSyncSet set) {
    become(Role.PRIMARY);
    inSync = set;
    following = Following.nobody();
  }

  void becomeCandidate(Election started) {
    become(Role.CANDIDATE);
    election = started;
  }

  /**
   * Changes the role and ends the state of the role before.
   *
   * @throws IllegalStateException if the roles do not follow each other
   */
  void become(Role next) {
    boolean allowed =
        switch (role) {
          case WAITING -> true;
          case CANDIDATE -> next != Role.CANDIDATE;
          case BACKUP -> next == Role.BACKUP || next == Role.WAITING;
          case PRIMARY -> next == Role.WAITING;
          case WITNESS -> false;
        };
    if (!allowed) {
      throw new IllegalStateException("a replica goes from " + role + " to " + next);
    }
    role = next;
    inSync = null;
    election = null;
  }

  /** As stored. */
  GroupRecord record() {
    return record;
  }

  /** The record is on disk now. */
  void stored(GroupRecord changed) {
    record = changed;
    heardOf(changed.epoch());
    Membership now = membership(changed);
    int slots = membership.differing(now);
    membership = now;
    for (int i = 0; i < members.length; i++) {
      members[i] = (slots & 1 << i) == 0 ? members[i] : new Member(i);
    }
  }

  void heardOf(long epoch) {
    highestEpoch = Math.max(highestEpoch, epoch);
  }

  /** An epoch above all that were heard of; it counts as heard of from now on. */
  long newEpoch() {
    return ++highestEpoch;
  }

  /** The primary this replica follows, or followed last. */
  Following following() {
    return following;
  }

  /** A process says in a heartbeat that it is primary; it is followed from now on. */
  void follow(int member, Control heartbeat, long nowNs) {
    following = following.to(member, heartbeat);
    following.heard(nowNs);
  }

  /**
   * The primary tells its in-sync set, or proposes one.
   *
   * @return the record to store
   */
  GroupRecord told(Control control) {
    GroupRecord known = record.learn(control.record());
    boolean next =
        known.inSyncEpoch() == record.inSyncEpoch() && known.version() <= record.version() + 1;
    // Members that joined since the last known version, or may have left and joined again.
    int joined = next ? known.inSync() & ~record.inSync() : known.inSync();
    for (Member member : members) {
      if ((joined & member.bit) != 0 && member.index != following.primary()) {
        member.join();
      }
    }
    boolean complete =
        control.receiver() == process
            && control.record().version() == known.version()
            && control.record().holds(self)
            && control.has(Control.COUNTED)
            && end().compareTo(control.end()) >= 0;
    following.told(next && known.holds(self), complete);
    return known.follow(control.epoch());
  }

  /** Who is primary as far as this replica knows, or -1. */
  int primary() {
    return switch (role) {
      case PRIMARY -> self;
      case BACKUP -> following.primary();
      case WAITING, CANDIDATE, WITNESS -> -1;
    };
  }

  /** What a message to a process of a member says of this replica; see {@link Control}. */
  int flags(Member member, long receiver) {
    boolean counted =
        inSync != null && record.holds(member.index) && inSync.countsOn(member, receiver);
    return Control.CHANGEABLE
        | (counted ? Control.COUNTED : 0)
        | (following.isContinuous() ? Control.CONTINUOUS : 0)
        | (role == Role.CANDIDATE ? Control.CANDIDATE : 0);
  }

  LogEnd end() {
    return end.get();
  }

  Member member(int index) {
    return members[index];
  }

  /** Bit set of all members but this. */
  int others() {
    return membership.all() & ~(1 << self);
  }

  /** Bit set of the other members for which a condition holds. */
  int others(Predicate<Member> condition) {
    int others = 0;
    int all = others();
    for (Member member : members) {
      others |= (all & member.bit) != 0 && condition.test(member) ? member.bit : 0;
    }
    return others;
  }

  String name(int member) {
    return member == self ? selfName : membership.name(member);
  }

  /** Names of the members of a set, for people. */
  String names(int set) {
    return String.join(", ", membership.names(set));
  }

  /** The disks of a set, as far as this replica has met them: see {@link GroupRecord#disks}. */
  long disks(int set) {
    long disks = 0;
    for (Member member : members) {
      if ((set & member.bit) != 0) {
        disks += GroupRecord.disk(member.index, member.index == self ? disk : member.disk());
      }
    }
    return disks;
  }

  /**
   * Whether the vote of a member counts for this replica, which is a continuous backup of three: it
   * must come from the disk that the primary knew. Another disk does not know what the member
   * promised.
   */
  boolean hasVote(Member member) {
    if (!record.holds(member.index)) {
      return isVoter(member);
    }
    if (member.index == following.primary()) {
      return member.disk() == following.disk();
    }
    return record.disks()
        == GroupRecord.disk(self, disk)
            + GroupRecord.disk(following.primary(), following.disk())
            + GroupRecord.disk(member.index, member.disk());
  }

  /** Whether a member that is not in sync has the disk with which it votes. */
  boolean isVoter(Member member) {
    return record.voter() != 0 && record.voter() == member.disk();
  }

  /** This process was suspended with its clock until now. */
  void resume(long nowNs) {
    resumedNs = nowNs;
  }

  boolean isWithinLease(long sinceNs, long nowNs) {
    return sinceNs - resumedNs > 0 && nowNs - sinceNs <= leaseNs;
  }

  /** Whether who has heard from here since then cannot have taken over yet, by any clock. */
  boolean isBeforeTakeover(long sinceNs, long nowNs) {
    return sinceNs - resumedNs > 0 && nowNs - sinceNs <= takeoverNs / GroupOptions.MAX_CLOCK_RATIO;
  }

  boolean isWithinTakeover(long sinceNs, long nowNs) {
    return nowNs - sinceNs < takeoverNs;
  }
}
