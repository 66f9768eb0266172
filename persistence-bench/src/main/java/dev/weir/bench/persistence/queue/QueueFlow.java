package dev.weir.bench.persistence.queue;

import dev.weir.bench.load.Clock;
import dev.weir.bench.load.Pace;
import dev.weir.bench.load.SendSchedule;
import dev.weir.queue.Durability;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One run of messages through a queue with a backlog: one thread appends, and for each append that
 * completes, another takes one message from the front.
 *
 * @param elapsedNs from the first append to the last acknowledgement
 * @param pace how the rate was kept, or null if there was none
 */
record QueueFlow(long elapsedNs, Pace pace) {
  /** How late the thread wakes that appends at a rate, at most by intention. */
  static final long TICK_NS = TimeUnit.MICROSECONDS.toNanos(200);

  private static final long WAIT_NS = TimeUnit.MICROSECONDS.toNanos(50);

  /**
   * Moves messages; blocks the caller, whose thread takes them.
   *
   * @param ratePerSec appends per second, or 0 for as many as {@link QueueFixture#WINDOW} allows
   */
  static QueueFlow run(QueueFixture queue, long count, Durability durability, double ratePerSec)
      throws InterruptedException {
    Appender appender = new Appender(queue, count, durability, ratePerSec);
    long before = queue.completions().completed();
    long startNs = System.nanoTime();
    Thread thread = new Thread(appender, "bench-appender");
    thread.setDaemon(true);
    thread.start();
    boolean coming = true;
    for (long taken = 0; taken < count && coming; taken++) {
      while (queue.completions().completed() - before <= taken && thread.isAlive()) {
        LockSupport.parkNanos(WAIT_NS);
      }
      coming = queue.take();
    }
    thread.join();
    return new QueueFlow(System.nanoTime() - startNs, appender.pace);
  }

  private static final class Appender implements Runnable {
    private final QueueFixture queue;
    private final long count;
    private final Durability durability;
    private final double ratePerSec;
    private Pace pace;

    Appender(QueueFixture queue, long count, Durability durability, double ratePerSec) {
      this.queue = queue;
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
      queue.completions().awaitAll();
    }

    private void saturated() {
      for (long i = 0; i < count && queue.completions().awaitWindow(QueueFixture.WINDOW); i++) {
        queue.append(durability, System.nanoTime());
      }
    }

    /** Latency counts from the intended time. */
    private Pace paced() {
      Clock clock = Clock.system();
      SendSchedule schedule = new SendSchedule(ratePerSec);
      long nowNs = clock.nanoTime();
      schedule.start(nowNs);
      for (long i = 0; i < count; i++) {
        if (!schedule.isDue(i, nowNs)) {
          // Not for each message: that would take a CPU from the queue.
          clock.awaitUntil(schedule.dueNs(i) + TICK_NS);
        }
        nowNs = clock.nanoTime();
        schedule.markSent(nowNs);
        queue.append(durability, schedule.dueNs(i));
      }
      return schedule.pace();
    }
  }
}
