package dev.weir.gateway.dashboard;

import dev.weir.gateway.metrics.Metric;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The figures of a registry at one moment, read in one pass: what {@code /metrics} writes, found by
 * metric and tag.
 */
final class DashboardFigures {
  private static final String OWN = "weir.";
  private static final String UPTIME = "process.uptime";

  /** Figures by the name of the metric, then by the values of its tags. */
  private final Map<String, Map<List<String>, Double>> values = new TreeMap<>();

  private DashboardFigures() {}

  /** May block, as reading a meter may. */
  static DashboardFigures read(MeterRegistry registry) {
    DashboardFigures figures = new DashboardFigures();
    for (Meter meter : registry.getMeters()) {
      String name = meter.getId().getName();
      if (name.startsWith(OWN) || name.equals(UPTIME)) {
        figures.add(name, meter);
      }
    }
    return figures;
  }

  private void add(String name, Meter meter) {
    Iterator<Measurement> measurements = meter.measure().iterator();
    double value = measurements.hasNext() ? measurements.next().getValue() : Double.NaN;
    if (!Double.isNaN(value)) {
      List<String> tags = new ArrayList<>();
      for (Tag tag : meter.getId().getTagsAsIterable()) {
        tags.add(tag.getValue());
      }
      values
          .computeIfAbsent(name, absent -> new TreeMap<>(DashboardFigures::compare))
          .put(tags, value);
    }
  }

  private static int compare(List<String> one, List<String> other) {
    return String.join("\0", one).compareTo(String.join("\0", other));
  }

  /** The first tags of all there is of a metric, in order. */
  Set<String> keys(Metric metric) {
    Set<String> keys = new TreeSet<>();
    of(metric.name()).keySet().forEach(tags -> keys.add(tags.get(0)));
    return keys;
  }

  /**
   * One figure, or null if there is none now.
   *
   * @param tags values of its tags, in the order of their keys
   */
  Number value(Metric metric, String... tags) {
    return number(of(metric.name()).get(List.of(tags)));
  }

  /** How long the process runs, in whole seconds. */
  Number uptimeSeconds() {
    Double seconds = of(UPTIME).get(List.of());
    return seconds == null ? null : (long) seconds.doubleValue();
  }

  private Map<List<String>, Double> of(String name) {
    return values.getOrDefault(name, Map.of());
  }

  /** Whole numbers as such: nobody counts 3.0 messages. */
  private static Number number(Double value) {
    if (value == null) {
      return null;
    }
    long whole = value.longValue();
    if (whole == value) {
      return whole;
    }
    return value;
  }
}
