package dev.weir.bench.cluster.threads;

import dev.weir.bench.cluster.threads.ThreadPreset.Detached;
import dev.weir.bench.program.Names;

/** The CPU configurations of the original benchmark: how many threads a processor may have. */
public enum CpuConfig {
  /** The fewest CPUs: the processor's thread spins, the link reader sleeps, and that is all. */
  MINCPU {
    @Override
    public ThreadPreset preset(OptimizeFor optimize) {
      return new ThreadPreset(false, Detached.NEVER, Detached.NEVER, false, false);
    }
  },
  /**
   * The processor's thread reads the link itself. If a CPU is left, another thread writes the log;
   * for throughput, one more sends the replies.
   */
  DEFAULT {
    @Override
    public ThreadPreset preset(OptimizeFor optimize) {
      Detached replies = optimize == OptimizeFor.THROUGHPUT ? Detached.WHERE_ROOM : Detached.NEVER;
      return new ThreadPreset(true, replies, Detached.WHERE_ROOM, false, false);
    }
  },
  /** A thread for everything. */
  MAXCPU {
    @Override
    public ThreadPreset preset(OptimizeFor optimize) {
      return new ThreadPreset(true, Detached.ALWAYS, Detached.ALWAYS, true, true);
    }
  };

  /** The threads beside the processor's own. */
  public abstract ThreadPreset preset(OptimizeFor optimize);

  @Override
  public String toString() {
    return Names.of(this);
  }
}
