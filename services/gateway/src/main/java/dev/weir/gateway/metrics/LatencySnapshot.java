package dev.weir.gateway.metrics;

import java.util.Arrays;

/** What a service's histogram of durations held at one moment, since the service was opened. */
public final class LatencySnapshot {
  /** {@value} ns: of what took less, only that is known. */
  public static final long LEAST_NS = LatencyHistogram.FIRST_NS;

  /** {@value} ns: of what took longer, only that is known. */
  public static final long MOST_NS = LatencyHistogram.LAST_NS;

  private final long[] counts;
  private final long sumNs;

  LatencySnapshot(long[] counts, long sumNs) {
    this.counts = counts;
    this.sumNs = sumNs;
  }

  /** Messages recorded. */
  public long messages() {
    return Arrays.stream(counts).sum();
  }

  /** Sum of their durations in ns. */
  public long sumNs() {
    return sumNs;
  }

  /** Messages by bucket, with one more at the end for those above all bounds. */
  long[] counts() {
    return counts.clone();
  }

  /**
   * What was recorded since an earlier snapshot of the same histogram.
   *
   * @param earlier not null
   */
  public LatencySnapshot since(LatencySnapshot earlier) {
    long[] more = new long[counts.length];
    Arrays.setAll(more, i -> counts[i] - earlier.counts[i]);
    return new LatencySnapshot(more, sumNs - earlier.sumNs);
  }

  /**
   * A percentile, interpolated within its bucket as Prometheus does, except within the first, of
   * which nothing but its upper bound is known.
   *
   * @param percentile 0 to 100
   * @return in ns; 0 if nothing was recorded; {@link #LEAST_NS} for that or less, {@link #MOST_NS}
   *     for that or more
   */
  public long percentileNs(double percentile) {
    if (!(percentile >= 0 && percentile <= 100)) {
      throw new IllegalArgumentException("percentile is " + percentile + ", allowed is 0 to 100");
    }
    long[] bounds = LatencyHistogram.boundsNs();
    double rank = messages() * percentile / 100;
    double before = 0;
    for (int i = 0; i < bounds.length; i++) {
      if (counts[i] > 0 && before + counts[i] >= rank) {
        long lower = bounds[Math.max(0, i - 1)];
        return lower + (long) ((bounds[i] - lower) * (rank - before) / counts[i]);
      }
      before += counts[i];
    }
    return before == messages() ? 0 : bounds[bounds.length - 1];
  }
}
