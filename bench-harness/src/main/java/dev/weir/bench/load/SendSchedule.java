package dev.weir.bench.load;

/**
 * The send times of a fixed rate, the same for every sender of the benchmarks: it says when an
 * operation is due, and keeps how late operations were sent. Latency counts from the due time, so
 * that a stall is charged to every operation that was due in it.
 *
 * <p>Allocates nothing after its construction. For one thread, or under a lock of the caller.
 */
public final class SendSchedule {
  private static final double NANOS_PER_SECOND = 1e9;

  private final double ratePerSec;
  private final double intervalNs;
  private long startNs;
  private long lastSentNs;
  private long sent;
  private long late;
  private long maxLagNs;

  /**
   * A schedule that {@link #start} has yet to begin.
   *
   * @param ratePerSec operations per second, above 0
   */
  public SendSchedule(double ratePerSec) {
    if (!(ratePerSec > 0)) {
      throw new IllegalArgumentException("ratePerSec must be above 0: " + ratePerSec);
    }
    this.ratePerSec = ratePerSec;
    this.intervalNs = NANOS_PER_SECOND / ratePerSec;
  }

  /** Makes operation 0 due at this time. */
  public void start(long nowNs) {
    startNs = nowNs;
    lastSentNs = nowNs;
  }

  /**
   * When the operation should be sent. Computed from the start each time, so that rounding never
   * adds up.
   *
   * @param operation from 0
   */
  public long dueNs(long operation) {
    return startNs + (long) (operation * intervalNs);
  }

  /** Whether the operation should have been sent by this time. */
  public boolean isDue(long operation, long nowNs) {
    return dueNs(operation) - nowNs <= 0;
  }

  /** Keeps that the next operation is sent at this time. */
  public void markSent(long nowNs) {
    long lagNs = nowNs - dueNs(sent);
    maxLagNs = Math.max(maxLagNs, lagNs);
    late += lagNs > intervalNs ? 1 : 0;
    lastSentNs = nowNs;
    sent++;
  }

  /** Operations that were sent more than an interval after their due time. */
  public long late() {
    return late;
  }

  /** How well the rate was kept so far. */
  public Pace pace() {
    double elapsedNs = Math.max(1, lastSentNs - startNs + intervalNs);
    return new Pace(ratePerSec, sent * NANOS_PER_SECOND / elapsedNs, maxLagNs);
  }
}
