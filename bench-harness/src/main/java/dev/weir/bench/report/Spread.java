package dev.weir.bench.report;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Minimum, median and maximum of a figure over the rounds of a row. */
public record Spread(double min, double median, double max) {

  /** Of one figure per round, at least one; the median of an even number is the mean of two. */
  public static Spread of(double... perRound) {
    double[] sorted = perRound.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(sorted[0], median, sorted[sorted.length - 1]);
  }

  /** As it stands in the results. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("min", min);
    map.put("median", median);
    map.put("max", max);
    return map;
  }
}
