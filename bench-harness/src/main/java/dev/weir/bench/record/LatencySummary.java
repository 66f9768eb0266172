package dev.weir.bench.record;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The percentiles of a latency table, in microseconds.
 *
 * @param count how many values they are taken from
 */
public record LatencySummary(
    long count, double p50Us, double p90Us, double p99Us, double p999Us, double maxUs) {
  /** The least number of values beyond a percentile that is reported. */
  public static final int LEAST_BEYOND = 10;

  private static final double[] CURVE = {
    25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.75, 99.9, 99.95, 99.99, 99.995, 99.999
  };

  private static final double NANOS_PER_MICRO = 1000.0;

  /** The percentiles of a histogram of nanoseconds; all 0 if it is empty. */
  public static LatencySummary of(Histogram histogram) {
    return new LatencySummary(
        histogram.getTotalCount(),
        percentileUs(histogram, 50),
        percentileUs(histogram, 90),
        percentileUs(histogram, 99),
        percentileUs(histogram, 99.9),
        histogram.getMaxValue() / NANOS_PER_MICRO);
  }

  private static double percentileUs(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
  }

  /**
   * The same without the percentiles for which there are too few values: NaN takes their place. A
   * quantile q needs {@value #LEAST_BEYOND} values beyond it, which are {@value #LEAST_BEYOND} / (1
   * - q) values in all.
   */
  public LatencySummary reportable() {
    return new LatencySummary(
        count, from(2, p50Us), from(10, p90Us), from(100, p99Us), from(1000, p999Us), maxUs);
  }

  private double from(long oneBeyond, double valueUs) {
    return count >= LEAST_BEYOND * oneBeyond ? valueUs : Double.NaN;
  }

  /**
   * A curve of percentiles in microseconds, {@code p25} to {@code p99.999}: those for which there
   * are enough values, in rising order.
   */
  public static Map<String, Object> curve(Histogram histogram) {
    Map<String, Object> curve = new LinkedHashMap<>();
    for (double percentile : CURVE) {
      if (Math.round(histogram.getTotalCount() * (100 - percentile)) >= 100 * LEAST_BEYOND) {
        String name = BigDecimal.valueOf(percentile).stripTrailingZeros().toPlainString();
        curve.put("p" + name, percentileUs(histogram, percentile));
      }
    }
    return curve;
  }

  /** As {@code latencyUs} stands in the results: p50, p99, p99.9, max, in this order. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("p50", p50Us);
    map.put("p99", p99Us);
    map.put("p99.9", p999Us);
    map.put("max", maxUs);
    return map;
  }
}
