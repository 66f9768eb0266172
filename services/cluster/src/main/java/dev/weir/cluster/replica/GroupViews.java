package dev.weir.cluster.replica;

import dev.weir.cluster.GroupStats;
import dev.weir.cluster.GroupView;
import dev.weir.cluster.Role;
import dev.weir.cluster.protocol.Control;
import dev.weir.cluster.protocol.GroupMachine;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.state.History;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** What a replica knows of the other members, for people. Under the group's lock. */
final class GroupViews {
  private static final long UNKNOWN = -1;

  private final int self;
  private final GroupMachine machine;
  private final History history;
  private final Leader leader;
  private final SilenceDetector silence;
  private final RoleChanges changes;
  private final LagTimes lag = new LagTimes();

  GroupViews(
      int self,
      GroupMachine machine,
      History history,
      Leader leader,
      SilenceDetector silence,
      RoleChanges changes) {
    this.self = self;
    this.machine = machine;
    this.history = history;
    this.leader = leader;
    this.silence = silence;
    this.changes = changes;
  }

  /** Lets time pass. */
  void tick(long nowNs) {
    long end = primaryEnd();
    if (end != UNKNOWN) {
      lag.sample(nowNs, end);
    }
  }

  /** Where the primary's history ends, as far as this replica knows. */
  private long primaryEnd() {
    if (leader.isLeading()) {
      return ownEnd();
    }
    int primary = machine.primary();
    Control said = primary < 0 || primary == self ? null : machine.said(primary);
    return said == null ? UNKNOWN : Math.max(ownEnd(), said.end().position());
  }

  private long ownEnd() {
    return history.end().position();
  }

  /** The present figures; of a failed replica, the figures at its failure. */
  GroupStats stats(Throwable failure, boolean accepting) {
    boolean alive = failure == null;
    boolean leading = alive && leader.isLeading();
    int primary = machine.primary();
    LogEnd end = history.end();
    return new GroupStats(
        alive ? changes.shown(machine.role()) : Role.WAITING,
        machine.epoch(),
        primary < 0 ? null : machine.membership().name(primary),
        Integer.bitCount(machine.inSync()),
        history.log().record().voters(),
        accepting,
        alive ? machine.reason() : "has failed: " + failure,
        history.log().start(),
        end.epoch(),
        end.position(),
        leading ? leader.committedBy(machine.inSync()) : 0,
        leader.accepted(),
        leader.completed(),
        leader.answeredAgain(),
        leader.busy(),
        leader.batches(),
        history.replayed(),
        changes.count(),
        leader.calls().rejected(),
        leader.calls().rebuilds(),
        history.snapshotPauseNs(),
        history.snapshots().ageNs(),
        history.sessions().size(),
        history.sessions().replyBytes());
  }

  GroupView view(GroupStats stats, long nowNs) {
    long own = isWitness(self) ? UNKNOWN : ownEnd();
    long end = primaryEnd();
    List<GroupView.Peer> peers =
        IntStream.range(0, Membership.SLOTS)
            .filter(member -> member != self && !name(member).equals(Membership.VACANT))
            .mapToObj(member -> peer(member, end, nowNs))
            .toList();
    return new GroupView(stats, behind(own, end), behindMs(own, end, nowNs), peers, changes.last());
  }

  private GroupView.Peer peer(int member, long end, long nowNs) {
    boolean connected = machine.said(member) != null;
    long position = position(member);
    return new GroupView.Peer(
        name(member),
        isWitness(member),
        connected,
        machine.isInSync(member),
        position,
        behind(position, end),
        behindMs(position, end, nowNs),
        connected ? toMs(silence.silentNs(member, nowNs)) : UNKNOWN);
  }

  private String name(int member) {
    return machine.membership().name(member);
  }

  private boolean isWitness(int member) {
    return machine.membership().witness() == member;
  }

  /** What a primary was told by acknowledgements is later than what heartbeats say. */
  private long position(int member) {
    if (isWitness(member)) {
      return UNKNOWN;
    }
    long acknowledged = leader.isLeading() ? leader.heldBy(member) : UNKNOWN;
    Control said = machine.said(member);
    return acknowledged != UNKNOWN || said == null ? acknowledged : said.end().position();
  }

  private static long behind(long position, long end) {
    return position == UNKNOWN || end == UNKNOWN ? UNKNOWN : Math.max(0, end - position);
  }

  private long behindMs(long position, long end, long nowNs) {
    return switch (Long.signum(behind(position, end))) {
      case -1 -> UNKNOWN;
      case 0 -> 0;
      default -> toMs(lag.behindNs(position, nowNs));
    };
  }

  private static long toMs(long ns) {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(ns));
  }
}
