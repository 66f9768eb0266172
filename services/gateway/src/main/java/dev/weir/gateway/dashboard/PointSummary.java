package dev.weir.gateway.dashboard;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Gathers the points of a span of time into one: of rates the mean, of all else the highest, so
 * that a short peak is seen. Bounded as {@link PointRing} is. One thread at a time.
 */
final class PointSummary {
  private final int rates;
  private final long spanMs;
  private final Map<String, float[]> highest = new HashMap<>();
  private final Map<String, int[]> counts = new HashMap<>();
  private long span;

  /**
   * @param rates so many of the first series are rates
   */
  PointSummary(int rates, long spanMs) {
    this.rates = rates;
    this.spanMs = spanMs;
  }

  /** Whether a point is of another span than those before, if there are any. */
  boolean isOver(long atMs) {
    return !highest.isEmpty() && atMs / spanMs != span;
  }

  /** The end of the span of the points that were gathered. */
  long endMs() {
    return (span + 1) * spanMs;
  }

  void add(long atMs, Map<String, float[]> values) {
    span = atMs / spanMs;
    values.forEach(this::add);
  }

  private void add(String address, float[] values) {
    if (highest.size() >= PointRing.MAX_SERVICES && !highest.containsKey(address)) {
      return;
    }
    float[] all = highest.computeIfAbsent(address, absent -> filled(values.length));
    int[] count = counts.computeIfAbsent(address, absent -> new int[values.length]);
    for (int i = 0; i < values.length; i++) {
      if (!Float.isNaN(values[i])) {
        float before = count[i] == 0 ? (i < rates ? 0 : values[i]) : all[i];
        all[i] = i < rates ? before + values[i] : Math.max(before, values[i]);
        count[i]++;
      }
    }
  }

  private static float[] filled(int series) {
    float[] none = new float[series];
    Arrays.fill(none, Float.NaN);
    return none;
  }

  /** The point of the span; begins anew. */
  Map<String, float[]> take() {
    Map<String, float[]> point = new HashMap<>(highest);
    point.forEach(
        (address, values) -> {
          for (int i = 0; i < rates; i++) {
            values[i] /= counts.get(address)[i];
          }
        });
    highest.clear();
    counts.clear();
    return point;
  }
}
