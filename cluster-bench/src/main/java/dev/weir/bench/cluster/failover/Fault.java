package dev.weir.bench.cluster.failover;

import dev.weir.bench.cluster.member.MemberProcess;
import dev.weir.bench.cluster.member.ProcessCluster;
import dev.weir.bench.cluster.network.BridgeNetwork;
import dev.weir.bench.cluster.network.LoopbackNetwork;
import dev.weir.bench.cluster.network.MemberNetwork;
import dev.weir.bench.cluster.network.ProxyNetwork;
import dev.weir.bench.program.Names;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A fault of members or of their network, and how it is ended. */
enum Fault {
  /** The process is killed. Once another member is primary, it is started again on its data. */
  KILL(
      0,
      0,
      Until.NEW_PRIMARY,
      (group, primary) -> primary.kill(),
      (group, primary) -> primary.start()),
  /** The process is halted (SIGSTOP) and continued later, without noticing the time between. */
  STOP(
      3_000,
      10_000,
      Until.NEW_PRIMARY,
      (group, primary) -> primary.suspend(),
      (group, primary) -> primary.resume()),
  /** The two members cannot reach each other; clients reach both. */
  CUT(
      4_000,
      12_000,
      Until.NEW_PRIMARY,
      (group, primary) -> group.cut(),
      (group, primary) -> group.mend()),
  /** The backup is killed. Once the primary goes on alone, the backup is started again. */
  BACKUP_KILL(
      0,
      0,
      Until.ALONE,
      (group, primary) -> group.backup(primary).kill(),
      (group, primary) -> group.backup(primary).start()),
  /** The backup is halted and continued. Two members alone wait for it. */
  BACKUP_STOP(
      3_000,
      10_000,
      Until.NOTHING,
      (group, primary) -> group.backup(primary).suspend(),
      (group, primary) -> group.backup(primary).resume()),
  /** Both members are killed at once, and started again at once. */
  BOTH_KILL(
      0,
      0,
      Until.NOTHING,
      (group, primary) -> {
        primary.kill();
        group.backup(primary).kill();
      },
      (group, primary) -> {
        primary.start();
        group.backup(primary).start();
      }),
  /** As {@link #KILL}, in a group with a witness. */
  WITNESS_KILL(KILL, Until.NEW_PRIMARY),
  /** As {@link #STOP}, in a group with a witness. */
  WITNESS_STOP(STOP, Until.NEW_PRIMARY),
  /** As {@link #BACKUP_STOP}, in a group with a witness: the primary does not wait for it. */
  WITNESS_BACKUP_STOP(BACKUP_STOP, Until.ALONE);

  /** Faults that are caused in each profile unless others are named. */
  static final List<Fault> BY_DEFAULT = List.of(KILL, STOP, CUT);

  /** What the group does meanwhile, before the fault is ended. */
  enum Until {
    /** Another member becomes primary. */
    NEW_PRIMARY,
    /** The primary goes on without the backup. */
    ALONE,
    /** Nothing: it cannot go on before the end of the fault. */
    NOTHING
  }

  /** What is done to a group and its primary. */
  interface Action {
    void run(ProcessCluster group, MemberProcess primary) throws IOException, InterruptedException;
  }

  private final long shortMs;
  private final long longMs;
  private final Until until;
  private final Action begin;
  private final Action end;
  private final String witness;

  Fault(long shortMs, long longMs, Until until, Action begin, Action end) {
    this.shortMs = shortMs;
    this.longMs = longMs;
    this.until = until;
    this.begin = begin;
    this.end = end;
    this.witness = null;
  }

  Fault(Fault same, Until until) {
    this.shortMs = same.shortMs;
    this.longMs = same.longMs;
    this.until = until;
    this.begin = same.begin;
    this.end = same.end;
    this.witness = "w";
  }

  Until until() {
    return until;
  }

  /** The name of the group's witness; null for none. */
  String witness() {
    return witness;
  }

  /** How long the fault lasts at least. */
  long durationMs(boolean isLong) {
    return isLong ? longMs : shortMs;
  }

  Action begin() {
    return begin;
  }

  Action end() {
    return end;
  }

  /**
   * The network on which members must run for this fault.
   *
   * @param note receives the reason if only a weaker network is possible
   * @throws IOException if there is no such network on this machine
   */
  MemberNetwork network(Consumer<String> note) throws IOException, InterruptedException {
    if (this != CUT) {
      List<String> names = new ArrayList<>(ProcessCluster.NAMES);
      if (witness != null) {
        names.add(witness);
      }
      return new LoopbackNetwork(names);
    }
    try {
      return new BridgeNetwork(ProcessCluster.NAMES);
    } catch (IOException e) {
      note.accept("the members reach each other through proxies, for " + e.getMessage());
      return new ProxyNetwork(ProcessCluster.NAMES);
    }
  }

  /** As in results. */
  @Override
  public String toString() {
    return Names.of(this);
  }
}
