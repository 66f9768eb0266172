package dev.weir.cluster.protocol;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.PairPolicy;
import dev.weir.cluster.Role;
import java.util.function.Supplier;

/**
 * The state that all decisions of one replica share: its role, its stored record, the primary it
 * follows and what it knows of the other members. Only {@link #become} changes the role.
 */
final class ReplicaState {
  static final long NS_PER_MS = 1_000_000;

  private final GroupOptions options;
  private final ProtocolEffects effects;
  private final Supplier<LogEnd> end;
  private final Member[] members;

  final int self;
  final int size;

  /** Index of the member that votes and holds no messages; -1 if there is none. */
  final int witness;

  final int minInSync;

  /**
   * Of two: a primary leaves out a silent backup, and a backup does not take over from a silent
   * primary.
   */
  final boolean primaryContinues;

  final long heartbeatNs;
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
  private GroupRecord record;
  private Following following = Following.nobody();

  /** The highest epoch heard of or used in an election. */
  private long highestEpoch;

  private long nextHeartbeatNs;

  /**
   * When this process went on after it was suspended with its clock. How long ago something before
   * that was, the clock does not tell.
   */
  private long resumedNs = Member.NEVER;

  /** Of the control messages of this process. */
  private long lastNumber;

  ReplicaState(
      GroupOptions options,
      int self,
      GroupRecord record,
      long disk,
      Supplier<LogEnd> end,
      ProtocolEffects effects,
      long nowNs) {
    this.disk = disk;
    this.persistent = options.isPersistence();
    this.options = options;
    this.self = self;
    this.record = record;
    this.end = end;
    this.effects = effects;
    size = options.getMembers().size();
    witness = options.isWitness(size - 1) ? size - 1 : -1;
    minInSync = options.getMinInSync();
    primaryContinues = options.getPairPolicy() == PairPolicy.PRIMARY_CONTINUES;
    heartbeatNs = options.getHeartbeatMs() * NS_PER_MS;
    leaseNs = options.getLeaseMs() * NS_PER_MS;
    takeoverNs = options.getTakeoverMs() * NS_PER_MS;
    startNs = nowNs;
    nextHeartbeatNs = nowNs;
    process = nowNs == 0 ? 1 : nowNs;
    highestEpoch = record.epoch();
    members = new Member[size];
    for (int i = 0; i < size; i++) {
      members[i] = new Member(i);
    }
  }

  Role role() {
    return role;
  }

  /**
   * Changes the role.
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
  }

  /** As stored. */
  GroupRecord record() {
    return record;
  }

  /** The primary this replica follows, or followed last. */
  Following following() {
    return following;
  }

  /** The process that says in a heartbeat that it is primary; is followed from now on. */
  Following following(int primary, Control heartbeat) {
    if (!following.isOf(primary, heartbeat.epoch())
        || !following.isProcess(primary, heartbeat.sender())) {
      following = new Following(primary, heartbeat.epoch(), heartbeat.sender(), heartbeat.disk());
    }
    return following;
  }

  void followNobody() {
    following = Following.nobody();
  }

  void heardOf(long epoch) {
    highestEpoch = Math.max(highestEpoch, epoch);
  }

  /** An epoch above all that were heard of; it counts as heard of from now on. */
  long newEpoch() {
    return ++highestEpoch;
  }

  Member member(int index) {
    return members[index];
  }

  String name(int member) {
    return options.getMembers().get(member);
  }

  /** The disks of a set, as far as this replica has met them: see {@link GroupRecord#disks}. */
  long disks(int set) {
    long disks = 0;
    for (Member member : members) {
      if ((set & member.bit) != 0) {
        disks += GroupRecord.disk(member.index, member.index == self ? disk : member.disk);
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
      return member.disk == following.disk();
    }
    return record.disks()
        == GroupRecord.disk(self, disk)
            + GroupRecord.disk(following.primary(), following.disk())
            + GroupRecord.disk(member.index, member.disk);
  }

  /** Whether a member that is not in sync has the disk with which it votes. */
  boolean isVoter(Member member) {
    return record.voter() != 0 && record.voter() == member.disk;
  }

  /** Names of the members of a set, for people. */
  String names(int set) {
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < size; i++) {
      if ((set & 1 << i) != 0) {
        names.append(names.length() == 0 ? "" : ", ").append(name(i));
      }
    }
    return names.toString();
  }

  /** Bit set of all members but this. */
  int others() {
    return (1 << size) - 1 & ~(1 << self);
  }

  LogEnd end() {
    return end.get();
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

  void save(GroupRecord changed) {
    if (!changed.equals(record)) {
      effects.save(changed);
      record = changed;
      heardOf(changed.epoch());
    }
  }

  /** Takes a later in-sync set from any member, if there is no primary; returns whether it did. */
  boolean learn(Control control) {
    GroupRecord learned = record.learn(control);
    boolean learns = primary() < 0 && !record.isBlank() && learned != record;
    if (learns) {
      following.interrupt();
      save(learned);
    }
    return learns;
  }

  /** Sends the regular heartbeats. */
  void broadcastIfDue(long nowNs) {
    if (nowNs - nextHeartbeatNs >= 0) {
      nextHeartbeatNs = nowNs + heartbeatNs;
      broadcast(nowNs);
    }
  }

  /** Sends a heartbeat to each member; also at each change of the role or the in-sync set. */
  void broadcast(long nowNs) {
    for (Member member : members) {
      if (member.connected) {
        heartbeat(member, nowNs);
      }
    }
  }

  void heartbeat(Member member, long nowNs) {
    send(member, Control.Type.HEARTBEAT, record, nowNs, 0);
  }

  /** Answers also a process that is not known: the answer makes this one known to it. */
  void answer(Member member, Control heartbeat, int flags) {
    send(member, Control.Type.HEARTBEAT_ACK, record, heartbeat.sentNs(), flags, heartbeat.sender());
  }

  /** Sends what this replica knows, except that the given record may be one it only proposes. */
  void send(Member member, Control.Type type, GroupRecord told, long sentNs, int flags) {
    send(member, type, told, sentNs, flags, member.heard ? member.process : 0);
  }

  private void send(
      Member member, Control.Type type, GroupRecord told, long sentNs, int flags, long receiver) {
    effects.send(
        member.index,
        new Control(
            type,
            told.epoch(),
            ++lastNumber,
            process,
            receiver,
            sentNs,
            told.inSyncEpoch(),
            told.inSync(),
            told.version(),
            told.disks(),
            told.voter(),
            disk,
            primary(),
            end(),
            flags
                | (isCounted(member, receiver) ? Control.COUNTED : 0)
                | (following.isContinuous() ? Control.CONTINUOUS : 0)
                | (role == Role.CANDIDATE ? Control.CANDIDATE : 0)));
  }

  private boolean isCounted(Member member, long receiver) {
    return role == Role.PRIMARY && record.holds(member.index) && member.counted == receiver;
  }

  /** Who is primary as far as this replica knows, or -1. */
  int primary() {
    return switch (role) {
      case PRIMARY -> self;
      case BACKUP -> following.primary();
      case WAITING, CANDIDATE, WITNESS -> -1;
    };
  }
}
