package dev.weir.bench.persistence;

import dev.weir.bench.load.Clock;
import dev.weir.bench.load.Pace;
import dev.weir.queue.Durability;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Messages through a queue that holds a backlog: for each that is accepted, on one thread, another
 * takes one from the front.
 *
 * @param elapsedNs from the first append to the last acknowledgement
 * @param pace how the rate was kept, or null if there was none
 */
record QueueFlow(long elapsedNs, Pace pace) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long TICK_NS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final long WAIT_NS = TimeUnit.MICROSECONDS.toNanos(50);

  /**
   * Moves messages, blocking the caller, which takes.
   *
   * @param ratePerSec appends per second, or 0 for as many as {@link QueueStage#WINDOW} allows
   */
  static QueueFlow run(QueueStage stage, long count, Durability durability, double ratePerSec)
      throws InterruptedException {
    Appender appender = new Appender(stage, count, durability, ratePerSec);
    long before = stage.completions().completed();
    long startNs = System.nanoTime();
    Thread thread = new Thread(appender, "bench-appender");
    thread.setDaemon(true);
    thread.start();
    boolean coming = true;
    for (long taken = 0; taken < count && coming; taken++) {
      while (stage.completions().completed() - before <= taken && thread.isAlive()) {
        LockSupport.parkNanos(WAIT_NS);
      }
      coming = stage.take();
    }
    thread.join();
    return new QueueFlow(System.nanoTime() - startNs, appender.pace);
  }

  private static final class Appender implements Runnable {
    private final QueueStage stage;
    private final long count;
    private final Durability durability;
    private final double ratePerSec;
    private Pace pace;

    Appender(QueueStage stage, long count, Durability durability, double ratePerSec) {
      this.stage = stage;
      this.count = count;
      this.durability = durability;
      this.ratePerSec = ratePerSec;
    }

    @Override
    public void run() {
      if (ratePerSec > 0) {
        pace = paced();
      } else {
        saturated();
      }
      stage.completions().awaitAll();
    }

    private void saturated() {
      for (long i = 0; i < count && stage.completions().awaitWindow(QueueStage.WINDOW); i++) {
        stage.append(durability, System.nanoTime());
      }
    }

    /** Latency counts from the intended time. */
    private Pace paced() {
      Clock clock = Clock.system();
      double intervalNs = NANOS_PER_SECOND / ratePerSec;
      long startNs = clock.nanoTime();
      long nowNs = startNs;
      long maxLagNs = 0;
      for (long i = 0; i < count; i++) {
        long dueNs = startNs + (long) (i * intervalNs);
        if (dueNs - nowNs > 0) {
          // Not for each message: that would take a CPU from the queue.
          clock.awaitUntil(dueNs + TICK_NS);
        }
        nowNs = clock.nanoTime();
        maxLagNs = Math.max(maxLagNs, nowNs - dueNs);
        stage.append(durability, dueNs);
      }
      double sentPerSec = count * NANOS_PER_SECOND / (nowNs - startNs + intervalNs);
      return new Pace(ratePerSec, sentPerSec, maxLagNs);
    }
  }
}
