package dev.weir.bench.report;

import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.verify.Verdict;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * One line of the results. Its plain fields are its identity; the rest are figures.
 *
 * @param fields the plain fields that are set, in the order of the result format
 * @param opsPerSec throughput, or null
 * @param latency latency, or null
 * @param extra what has no field of its own
 * @param columns names of extras that the text table shows as well
 * @param histograms raw latencies in nanoseconds by name; the one named {@code ""} is {@code
 *     latency}
 * @param verdict whether the figures count
 */
public record Row(
    Map<String, Object> fields,
    OpsPerSec opsPerSec,
    LatencySummary latency,
    Map<String, Object> extra,
    Set<String> columns,
    Map<String, Histogram> histograms,
    Verdict verdict) {

  /** A row of the scenario, to be filled. */
  public static RowBuilder of(String scenario) {
    return new RowBuilder(scenario);
  }

  /** Name of the scenario. */
  public String scenario() {
    return fields.get(RowBuilder.SCENARIO).toString();
  }

  /** The plain fields, but for the rounds, as a file name; numbers carry their field's name. */
  public String id() {
    return fields.entrySet().stream()
        .filter(field -> !field.getKey().equals(RowBuilder.ROUNDS))
        .map(field -> part(field.getKey(), field.getValue()))
        .collect(Collectors.joining("_"));
  }

  private static String part(String name, Object value) {
    String text = value instanceof Number ? name + value : value.toString();
    return text.replaceAll("[^A-Za-z0-9.-]+", "-");
  }
}
