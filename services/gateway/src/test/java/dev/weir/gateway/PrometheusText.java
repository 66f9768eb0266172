package dev.weir.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A scrape, read as Prometheus would. */
final class PrometheusText {
  private static final Pattern LE = Pattern.compile("le=\"([^\"]+)\"");
  private final List<String> lines;

  PrometheusText(String text) {
    lines = text.lines().filter(line -> !line.startsWith("#")).toList();
  }

  /**
   * @param series name, with labels in braces if it has any
   */
  double value(String series) {
    return lines.stream()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("/metrics has no " + series));
  }

  /**
   * As {@code histogram_quantile} computes it, in ms, but for the first bucket, of which only the
   * upper bound is known.
   */
  double quantileMs(double quantile, String histogram, String address) {
    List<double[]> buckets = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith(histogram + "_bucket{address=\"" + address + "\"")) {
        Matcher bound = LE.matcher(line);
        if (bound.find()) {
          double le =
              bound.group(1).equals("+Inf")
                  ? Double.POSITIVE_INFINITY
                  : Double.parseDouble(bound.group(1));
          buckets.add(
              new double[] {le, Double.parseDouble(line.substring(line.indexOf("} ") + 2))});
        }
      }
    }
    double rank = quantile * buckets.get(buckets.size() - 1)[1];
    double lower = 0;
    double before = 0;
    for (double[] bucket : buckets) {
      if (bucket[1] >= rank && bucket[1] > before) {
        lower = before == 0 && bucket == buckets.get(0) ? bucket[0] : lower;
        return 1000 * (lower + (bucket[0] - lower) * (rank - before) / (bucket[1] - before));
      }
      lower = bucket[0];
      before = bucket[1];
    }
    throw new AssertionError(histogram + " has no messages of " + address);
  }
}
