package dev.weir.bench.eventbus.latency;

import dev.weir.bench.eventbus.fixture.Workload;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.verify.Verdict;
import java.util.concurrent.CountDownLatch;

/**
 * Requests at full speed on a background thread, round after round, until closed. Its methods are
 * for one thread.
 */
final class Flood implements AutoCloseable {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Workload workload;
  private final long operations;
  private final int inFlight;
  private final Thread thread = new Thread(this::run, "bench-flood");
  private final CountDownLatch warm = new CountDownLatch(1);
  private volatile boolean stopped;
  private long done;
  private long elapsedNs;
  private Verdict verdict = Verdict.ok();

  /** A flood of so many operations per round. */
  Flood(Workload workload, long operations, int inFlight) {
    this.workload = workload;
    this.operations = operations;
    this.inFlight = inFlight;
    thread.setDaemon(true);
  }

  /** Begins, and returns when the first round is over. */
  void start() throws InterruptedException {
    thread.start();
    warm.await();
  }

  private void run() {
    try {
      while (!stopped && !verdict.failed()) {
        RoundResult result = workload.closedRound(operations, inFlight);
        verdict = verdict.and(result.verdict());
        if (warm.getCount() == 0) {
          done += result.tally().good();
          elapsedNs += result.elapsedNs();
        }
        warm.countDown();
      }
    } catch (InterruptedException | RuntimeException e) {
      verdict = verdict.and(Verdict.fail(e.toString()));
    } finally {
      warm.countDown();
    }
  }

  /** Ends the flood after its present round; the figures are final then. */
  void stop() throws InterruptedException {
    stopped = true;
    thread.join();
  }

  @Override
  public void close() {
    stopped = true;
  }

  /** The rate of the flood, but for its first round. */
  double perSec() {
    return elapsedNs == 0 ? 0 : done * NANOS_PER_SECOND / elapsedNs;
  }

  Verdict verdict() {
    return verdict.unless(done > 0, "no round after the first").in("flood");
  }
}
