package dev.weir.bench.cluster;

import dev.weir.bench.cluster.ThreadWishes.Detached;
import java.util.Locale;

/**
 * The three CPU configurations of the seed, as presets of the flags that say which threads exist.
 */
enum CpuConfig {
  /** The smallest footprint: the processor's thread spins, a reader sleeps, nothing is detached. */
  MINCPU {
    @Override
    ThreadWishes wishes(OptimizeFor optimize) {
      return new ThreadWishes(false, Detached.NEVER, Detached.NEVER, false, false);
    }
  },
  /**
   * The processor's thread reads the link itself and, where there is a CPU for that, the log is
   * written beside it; for throughput, replies are sent beside it too.
   */
  DEFAULT {
    @Override
    ThreadWishes wishes(OptimizeFor optimize) {
      Detached replies = optimize == OptimizeFor.THROUGHPUT ? Detached.WHERE_ROOM : Detached.NEVER;
      return new ThreadWishes(true, replies, Detached.WHERE_ROOM, false, false);
    }
  },
  /** A thread for everything. */
  MAXCPU {
    @Override
    ThreadWishes wishes(OptimizeFor optimize) {
      return new ThreadWishes(true, Detached.ALWAYS, Detached.ALWAYS, true, true);
    }
  };

  abstract ThreadWishes wishes(OptimizeFor optimize);

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
