package dev.weir.cluster.replica;

/** The time as a replica sees it. Any thread. */
interface ReplicaClock {
  /** The clock of this process. */
  ReplicaClock SYSTEM =
      new ReplicaClock() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public long timeMs() {
          return System.currentTimeMillis();
        }
      };

  /** Monotonic time, ns. */
  long nanoTime();

  /** Wall clock time, ms since 1970. */
  long timeMs();
}
