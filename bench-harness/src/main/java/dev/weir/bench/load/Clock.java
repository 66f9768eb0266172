package dev.weir.bench.load;

import java.util.concurrent.locks.LockSupport;

/** Time for drivers; tests inject their own. */
public interface Clock {

  /** Monotonic time in nanoseconds, comparable across the threads of this process only. */
  long nanoTime();

  /** Blocks until {@link #nanoTime()} has reached the time, or the thread is interrupted. */
  void awaitUntil(long timeNs);

  /** The clock of this JVM. */
  static Clock system() {
    return SystemClock.INSTANCE;
  }

  /**
   * Parks until shortly before the deadline and yields the rest, so that a wake-up is precise to a
   * microsecond. A thread that yields lets others go first, but it never sleeps: between sends that
   * are 100 us apart or less, so from 10,000/s on, a sender takes all the time of a CPU that others
   * leave it. One that parked then would send late by as much as a wake-up takes, and what it
   * measures would be charged with that.
   */
  final class SystemClock implements Clock {
    private static final SystemClock INSTANCE = new SystemClock();

    /**
     * Longer than a parked thread oversleeps: Linux adds 50 us to a sleep, so that it may wake many
     * threads at once, and waking takes some more.
     */
    private static final long YIELD_NS = 100_000;

    private SystemClock() {}

    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public void awaitUntil(long timeNs) {
      long remainingNs = timeNs - System.nanoTime();
      while (remainingNs > 0 && !Thread.currentThread().isInterrupted()) {
        if (remainingNs > YIELD_NS) {
          LockSupport.parkNanos(this, remainingNs - YIELD_NS);
        } else {
          Thread.yield();
        }
        remainingNs = timeNs - System.nanoTime();
      }
    }
  }
}
