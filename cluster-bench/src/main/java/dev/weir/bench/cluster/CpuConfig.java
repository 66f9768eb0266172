package dev.weir.bench.cluster;

import java.util.Locale;

/**
 * The three CPU configurations of the seed, as presets of the flags that say which threads exist.
 */
enum CpuConfig {
  /** The smallest footprint: the processor's thread spins, a reader sleeps, nothing is detached. */
  MINCPU {
    @Override
    ThreadWishes wishes(OptimizeFor optimize) {
      return new ThreadWishes(false, false, false, false, false);
    }
  },
  /**
   * The processor's thread reads the link itself and the log is written beside it; for throughput,
   * replies are sent beside it too.
   */
  DEFAULT {
    @Override
    ThreadWishes wishes(OptimizeFor optimize) {
      return new ThreadWishes(true, optimize == OptimizeFor.THROUGHPUT, true, false, false);
    }
  },
  /** A thread for everything. */
  MAXCPU {
    @Override
    ThreadWishes wishes(OptimizeFor optimize) {
      return new ThreadWishes(true, true, true, true, true);
    }
  };

  abstract ThreadWishes wishes(OptimizeFor optimize);

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
