package dev.weir.bench.load;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for a round and stops one that stands still. The round is looked at on its own thread, so
 * that its counters need no synchronisation.
 */
final class IdleWatch {
  private static final long TICK_MS = 250;
  private static final Duration THREAD_TIMEOUT = Duration.ofSeconds(30);

  private final Watched round;
  private final Executor thread;
  private final Load load;
  private volatile long lastAnswerNs;
  private long lastProgress = -1;
  private long lastChangeNs;

  IdleWatch(Watched round, Executor thread, Load load) {
    this.round = round;
    this.thread = thread;
    this.load = load;
    this.lastAnswerNs = load.clock().nanoTime();
  }

  RoundResult await() throws InterruptedException {
    while (true) {
      try {
        return round.result().get(TICK_MS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        tick();
      } catch (ExecutionException e) {
        throw new IllegalStateException("the round broke: " + e.getCause(), e.getCause());
      }
    }
  }

  private void tick() {
    Duration silence = Duration.ofNanos(load.clock().nanoTime() - lastAnswerNs);
    if (silence.compareTo(load.idleTimeout().plus(THREAD_TIMEOUT)) > 0) {
      throw new IllegalStateException("the thread of the round gave no answer for " + silence);
    }
    thread.execute(this::check);
  }

  /** Runs on the thread of the round. */
  void check() {
    long nowNs = load.clock().nanoTime();
    lastAnswerNs = nowNs;
    if (round.progress() != lastProgress) {
      lastProgress = round.progress();
      lastChangeNs = nowNs;
    } else if (nowNs - lastChangeNs >= load.idleTimeout().toNanos()) {
      round.stop();
    }
  }

  /** A running round as its watch sees it. */
  interface Watched {

    /** A figure that changes as long as the round makes progress. */
    long progress();

    /** Ends the round with what it has; without effect once it has ended. */
    void stop();

    /** Completes when the round has ended. */
    CompletableFuture<RoundResult> result();
  }
}
