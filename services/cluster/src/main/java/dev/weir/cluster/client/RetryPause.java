package dev.weir.cluster.client;

import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The pause between two attempts of a client to reach a member: an eighth of the time since the
 * first attempt of a row that failed. So a takeover is noticed soon after it, and members that are
 * gone for long cost little. One pause at a time; for the client's context.
 */
final class RetryPause {
  private static final int PART = 8;

  private final Vertx vertx;
  private final long mostMs;
  private final LongSupplier nanoClock;
  private boolean runs;
  private boolean failing;
  private long failingSinceNs;

  /**
   * @param mostMs no pause is longer; at least 1
   * @param nanoClock like {@link System#nanoTime}
   */
  RetryPause(Vertx vertx, int mostMs, LongSupplier nanoClock) {
    this.vertx = vertx;
    this.mostMs = mostMs;
    this.nanoClock = nanoClock;
  }

  /** Whether the next attempt has to wait. */
  boolean runs() {
    return runs;
  }

  /** A member does what it is asked to: the next failure is the first of a row. */
  void succeeded() {
    failing = false;
  }

  /** Nothing was asked for meanwhile: failures of before are of another row. */
  void idle() {
    failing &= runs;
  }

  /** An attempt has failed; nothing happens if a pause runs already. */
  void begin(Runnable attempt) {
    if (runs) {
      return;
    }
    long nowNs = nanoClock.getAsLong();
    if (!failing) {
      failing = true;
      failingSinceNs = nowNs;
    }
    runs = true;
    vertx.setTimer(
        lengthMs(TimeUnit.NANOSECONDS.toMillis(nowNs - failingSinceNs), mostMs),
        timer -> {
          runs = false;
          attempt.run();
        });
  }

  /** The pause after attempts have failed for so long. */
  static long lengthMs(long failingMs, long mostMs) {
    return Math.max(1, Math.min(mostMs, failingMs / PART));
  }
}
