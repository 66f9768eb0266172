package dev.weir.bench.cluster.failover;

import dev.weir.bench.cluster.member.MemberProcess;
import dev.weir.bench.cluster.member.ProcessCluster;
import dev.weir.bench.cluster.network.BridgeNetwork;
import dev.weir.bench.cluster.network.LoopbackNetwork;
import dev.weir.bench.cluster.network.MemberNetwork;
import dev.weir.bench.cluster.network.ProxyNetwork;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;

/** What may happen to a primary, and how it ends. */
enum Fault {
  /** The process is killed, and started again on its data once another is primary. */
  KILL(0, 0) {
    @Override
    void strike(ProcessCluster group, MemberProcess primary) {
      primary.kill();
    }

    @Override
    void end(ProcessCluster group, MemberProcess primary) throws IOException {
      primary.start();
    }
  },
  /** The process is halted, and goes on later without having noticed anything. */
  STOP(3_000, 10_000) {
    @Override
    void strike(ProcessCluster group, MemberProcess primary)
        throws IOException, InterruptedException {
      primary.suspend();
    }

    @Override
    void end(ProcessCluster group, MemberProcess primary) throws IOException, InterruptedException {
      primary.resume();
    }
  },
  /** The two members do not reach each other; clients reach both. */
  CUT(4_000, 12_000) {
    @Override
    void strike(ProcessCluster group, MemberProcess primary)
        throws IOException, InterruptedException {
      group.cut();
    }

    @Override
    void end(ProcessCluster group, MemberProcess primary) throws IOException, InterruptedException {
      group.mend();
    }

    @Override
    MemberNetwork network(Consumer<String> note) throws IOException, InterruptedException {
      try {
        return new BridgeNetwork(ProcessCluster.NAMES);
      } catch (IOException e) {
        note.accept("the members reach each other through proxies, for " + e.getMessage());
        return new ProxyNetwork(ProcessCluster.NAMES);
      }
    }
  };

  private final long shortMs;
  private final long longMs;

  Fault(long shortMs, long longMs) {
    this.shortMs = shortMs;
    this.longMs = longMs;
  }

  /** How long it lasts at least. */
  long durationMs(boolean isLong) {
    return isLong ? longMs : shortMs;
  }

  abstract void strike(ProcessCluster group, MemberProcess primary)
      throws IOException, InterruptedException;

  abstract void end(ProcessCluster group, MemberProcess primary)
      throws IOException, InterruptedException;

  /**
   * Where it can be done; members run there.
   *
   * @param note told if that is not the best there is, and why
   * @throws IOException if it cannot be had here
   */
  MemberNetwork network(Consumer<String> note) throws IOException, InterruptedException {
    return new LoopbackNetwork(ProcessCluster.NAMES);
  }

  /**
   * The one of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Fault parse(String name) {
    return Arrays.stream(values())
        .filter(fault -> fault.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "fault is " + name + ", allowed is one of " + Arrays.toString(values())));
  }

  /** As in results. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
