package dev.weir.bench.env;

import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.record.Recording;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The scheduling noise of the machine: a thread that parks for one millisecond repeatedly and
 * records how late it wakes. No latency on this machine can be steadier. The thread wakes about a
 * thousand times a second.
 */
public final class Jitter implements AutoCloseable {
  private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Recording recording = Recording.singleWriter();
  private final Thread thread = new Thread(this::measure, "bench-jitter");
  private volatile boolean stopped;

  private Jitter() {
    thread.setDaemon(true);
  }

  /** Starts the measuring thread. */
  public static Jitter start() {
    Jitter jitter = new Jitter();
    jitter.thread.start();
    return jitter;
  }

  /** Parks so many times on the calling thread and records each overshoot. */
  public static void measure(long times, Recording recording) {
    for (long i = 0; i < times; i++) {
      parkOnce(recording);
    }
  }

  private void measure() {
    while (!stopped) {
      parkOnce(recording);
    }
  }

  private static void parkOnce(Recording recording) {
    long startNs = System.nanoTime();
    LockSupport.parkNanos(PARK_NS);
    recording.record(Math.max(0, System.nanoTime() - startNs - PARK_NS));
  }

  /** The overshoot so far. */
  public LatencySummary summary() {
    return recording.summary();
  }

  /** Ends the measuring; the summary stays. */
  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread);
  }
}
