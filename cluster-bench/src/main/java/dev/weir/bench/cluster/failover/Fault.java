package dev.weir.bench.cluster.failover;

import dev.weir.bench.cluster.member.MemberProcess;
import dev.weir.bench.cluster.member.ProcessCluster;
import dev.weir.bench.cluster.network.BridgeNetwork;
import dev.weir.bench.cluster.network.LoopbackNetwork;
import dev.weir.bench.cluster.network.MemberNetwork;
import dev.weir.bench.cluster.network.ProxyNetwork;
import dev.weir.bench.program.Names;
import java.io.IOException;
import java.util.function.Consumer;

/** A fault of the primary or of its network, and how it is ended. */
enum Fault {
  /** The process is killed. Once another member is primary, it is started again on its data. */
  KILL(0, 0, (group, primary) -> primary.kill(), (group, primary) -> primary.start()),
  /** The process is halted (SIGSTOP) and continued later, without noticing the time between. */
  STOP(3_000, 10_000, (group, primary) -> primary.suspend(), (group, primary) -> primary.resume()),
  /** The two members cannot reach each other; clients reach both. */
  CUT(4_000, 12_000, (group, primary) -> group.cut(), (group, primary) -> group.mend());

  /** What is done to a group and its primary. */
  interface Action {
    void run(ProcessCluster group, MemberProcess primary) throws IOException, InterruptedException;
  }

  private final long shortMs;
  private final long longMs;
  private final Action begin;
  private final Action end;

  Fault(long shortMs, long longMs, Action begin, Action end) {
    this.shortMs = shortMs;
    this.longMs = longMs;
    this.begin = begin;
    this.end = end;
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
      return new LoopbackNetwork(ProcessCluster.NAMES);
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
