package dev.weir.bench.cluster.threads;

import dev.weir.bench.cluster.threads.ThreadWishes.Detached;
import java.util.Locale;

/**
 * The three CPU configurations of the seed, as presets of the flags that say which threads exist.
 */
public enum CpuConfig {
  /** The smallest footprint: the processor's thread spins, a reader sleeps, nothing is detached. */
  MINCPU {
    @Override
    public ThreadWishes wishes(OptimizeFor optimize) {
      return new ThreadWishes(false, Detached.NEVER, Detached.NEVER, false, false);
    }
  },
  /**
   * The processor's thread reads the link itself and, where there is a CPU for that, the log is
   * written beside it; for throughput, replies are sent beside it too.
   */
  DEFAULT {
    @Override
    public ThreadWishes wishes(OptimizeFor optimize) {
      Detached replies = optimize == OptimizeFor.THROUGHPUT ? Detached.WHERE_ROOM : Detached.NEVER;
      return new ThreadWishes(true, replies, Detached.WHERE_ROOM, false, false);
    }
  },
  /** A thread for everything. */
  MAXCPU {
    @Override
    public ThreadWishes wishes(OptimizeFor optimize) {
      return new ThreadWishes(true, Detached.ALWAYS, Detached.ALWAYS, true, true);
    }
  };

  public abstract ThreadWishes wishes(OptimizeFor optimize);

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
