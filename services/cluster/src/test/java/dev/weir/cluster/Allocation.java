package dev.weir.cluster;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Measures what this thread allocates on the heap. */
public final class Allocation {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int TRIES = 10;

  private Allocation() {}

  /** Bytes that this thread has allocated so far. */
  public static long bytes() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /**
   * Bytes per run: the least of several tries of so many runs each, because the interpreter, the
   * compiler and the first runs may add to it, but nothing takes away.
   */
  public static long bytesPerRun(int runs, Runnable task) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < TRIES; i++) {
      long before = bytes();
      for (int run = 0; run < runs; run++) {
        task.run();
      }
      least = Math.min(least, bytes() - before);
    }
    // What two readings of the counter cost is rounded away.
    return least / runs;
  }
}
