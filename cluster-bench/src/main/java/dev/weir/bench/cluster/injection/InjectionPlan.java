package dev.weir.bench.cluster.injection;

/**
 * Which messages a round sends, and when.
 *
 * @param first number of the first
 * @param count how many, at least 1
 * @param ratePerSec messages per second; 0 for as many as the window allows
 * @param window most messages without a reply, a power of two; only without a rate
 */
public record InjectionPlan(long first, long count, double ratePerSec, int window) {
  private static final double NANOS_PER_SECOND = 1e9;

  public InjectionPlan {
    if (first < 1 || count < 1) {
      throw new IllegalArgumentException(
          "first and count must be at least 1: " + first + ", " + count);
    }
    if (!(ratePerSec >= 0)) {
      throw new IllegalArgumentException("ratePerSec must not be negative: " + ratePerSec);
    }
    if (Integer.bitCount(window) != 1 || window < 1) {
      throw new IllegalArgumentException("window must be a power of two: " + window);
    }
  }

  /** A plan at a fixed rate, whatever the processor does: it measures response times. */
  public static InjectionPlan paced(long first, long count, double ratePerSec) {
    if (!(ratePerSec > 0)) {
      throw new IllegalArgumentException("ratePerSec must be above 0: " + ratePerSec);
    }
    return new InjectionPlan(first, count, ratePerSec, 1);
  }

  /** A plan that keeps the window full: it measures capacity. */
  public static InjectionPlan saturated(long first, long count, int window) {
    return new InjectionPlan(first, count, 0, window);
  }

  boolean isPaced() {
    return ratePerSec > 0;
  }

  double intervalNs() {
    return isPaced() ? NANOS_PER_SECOND / ratePerSec : 0;
  }

  /** The plan of equally many messages after these. */
  public InjectionPlan next() {
    return next(count);
  }

  /** The plan of a number of messages after these. */
  public InjectionPlan next(long newCount) {
    return new InjectionPlan(first + count, newCount, ratePerSec, window);
  }
}
