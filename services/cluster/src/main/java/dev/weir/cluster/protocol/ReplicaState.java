package dev.weir.cluster.protocol;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Role;
import java.util.function.Supplier;

/** What the parts of a {@link GroupMachine} share: the replica's state, and its voice. */
final class ReplicaState {
  static final long NS_PER_MS = 1_000_000;

  private final GroupOptions options;
  private final GroupMachine.Effects effects;
  private final Supplier<LogEnd> end;
  private final Member[] members;

  final int self;
  final int size;
  final int minInSync;
  final long heartbeatNs;
  final long leaseNs;
  final long takeoverNs;
  final long startNs;

  /** Names this process to the others; the next one of this member has another. */
  final long process;

  Role role = Role.WAITING;
  GroupRecord record;
  Following following = Following.nobody();

  /** The highest epoch heard of. */
  long highestEpoch;

  ReplicaState(
      GroupOptions options,
      int self,
      GroupRecord record,
      Supplier<LogEnd> end,
      GroupMachine.Effects effects,
      long nowNs) {
    this.options = options;
    this.self = self;
    this.record = record;
    this.end = end;
    this.effects = effects;
    size = options.getMembers().size();
    minInSync = options.getMinInSync();
    heartbeatNs = options.getHeartbeatMs() * NS_PER_MS;
    leaseNs = options.getLeaseMs() * NS_PER_MS;
    takeoverNs = options.getTakeoverMs() * NS_PER_MS;
    startNs = nowNs;
    process = nowNs == 0 ? 1 : nowNs;
    highestEpoch = record.epoch();
    members = new Member[size];
    for (int i = 0; i < size; i++) {
      members[i] = new Member(i);
    }
  }

  Member member(int index) {
    return members[index];
  }

  String name(int member) {
    return options.getMembers().get(member);
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

  boolean isWithinLease(long sinceNs, long nowNs) {
    return nowNs - sinceNs <= leaseNs;
  }

  /** Whether who has heard from here since then cannot have taken over yet, by any clock. */
  boolean isBeforeTakeover(long sinceNs, long nowNs) {
    return nowNs - sinceNs <= takeoverNs / GroupOptions.MAX_CLOCK_RATIO;
  }

  boolean isWithinTakeover(long sinceNs, long nowNs) {
    return nowNs - sinceNs < takeoverNs;
  }

  void save(GroupRecord changed) {
    if (!changed.equals(record)) {
      effects.save(changed);
      record = changed;
      highestEpoch = Math.max(highestEpoch, changed.epoch());
    }
  }

  /** Heartbeats to all; told at once when a role or the in-sync set changes. */
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

  /** Sends what this replica knows, except that the given record may be one it only proposes. */
  void send(Member member, Control.Type type, GroupRecord told, long sentNs, int flags) {
    effects.send(
        member.index,
        new Control(
            type,
            told.epoch(),
            process,
            member.process,
            sentNs,
            told.inSyncEpoch(),
            told.inSync(),
            told.version(),
            primary(),
            end(),
            flags
                | (following.continuous ? Control.CONTINUOUS : 0)
                | (role == Role.CANDIDATE ? Control.CANDIDATE : 0)));
  }

  /** Who is primary as far as this replica knows, or -1. */
  int primary() {
    return switch (role) {
      case PRIMARY -> self;
      case BACKUP -> following.primary;
      case WAITING, CANDIDATE -> -1;
    };
  }
}
