package dev.weir.bench.program;

import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.record.Recording;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** A thread that prints rate and percentiles of every second. */
public final class IntervalStats {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Recording recording;
  private final PrintWriter out;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread = new Thread(this::print, "bench-interval-stats");

  private IntervalStats(Recording recording, PrintWriter out) {
    this.recording = recording;
    this.out = out;
    thread.setDaemon(true);
  }

  /** Starts to print what comes into the recording. */
  public static IntervalStats start(Recording recording, PrintWriter out) {
    IntervalStats stats = new IntervalStats(recording, out);
    stats.thread.start();
    return stats;
  }

  private void print() {
    long startNs = System.nanoTime();
    try {
      for (long second = 1; !stopped.await(1, TimeUnit.SECONDS); second++) {
        long nowNs = System.nanoTime();
        Histogram interval = recording.interval();
        double perSec = interval.getTotalCount() * NANOS_PER_SECOND / (nowNs - startNs);
        out.printf(
            "interval %d: %s/s, %s%n",
            second, ProgramText.number(perSec), ProgramText.text(LatencySummary.of(interval)));
        startNs = nowNs;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the printing. */
  public void stop() throws InterruptedException {
    stopped.countDown();
    thread.join();
  }
}
