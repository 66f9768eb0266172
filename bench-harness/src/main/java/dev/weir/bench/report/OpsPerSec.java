package dev.weir.bench.report;

import java.util.Arrays;

/** Operations per second over the rounds of a row. */
public record OpsPerSec(double min, double median, double max) {

  /** Of one figure per round, at least one; the median of an even number is the mean of two. */
  public static OpsPerSec of(double... perRound) {
    double[] sorted = perRound.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new OpsPerSec(sorted[0], median, sorted[sorted.length - 1]);
  }
}
