package dev.weir.bench.cluster.threads;

import dev.weir.bench.cluster.threads.ThreadPreset.Detached;
import dev.weir.bench.program.Names;

/** The CPU configurations of the original benchmark: how many threads a processor may have. */
public enum CpuConfig {
  /** The fewest CPUs: the processor's thread spins, the link reader sleeps, and that is all. */
  MINCPU,
  /**
   * The processor's thread reads the link itself. If a CPU is left, another thread writes the log;
   * for throughput, one more sends the replies.
   */
  DEFAULT,
  /** A thread for everything. */
  MAXCPU;

  /** The threads beside the processor's own. */
  public ThreadPreset preset(OptimizeFor optimize) {
    return switch (this) {
      case MINCPU -> new ThreadPreset(false, Detached.NEVER, Detached.NEVER, false, false);
      case DEFAULT -> {
        boolean throughput = optimize == OptimizeFor.THROUGHPUT;
        Detached replies = throughput ? Detached.WHERE_ROOM : Detached.NEVER;
        yield new ThreadPreset(true, replies, Detached.WHERE_ROOM, false, false);
      }
      case MAXCPU -> new ThreadPreset(true, Detached.ALWAYS, Detached.ALWAYS, true, true);
    };
  }

  @Override
  public String toString() {
    return Names.of(this);
  }
}
