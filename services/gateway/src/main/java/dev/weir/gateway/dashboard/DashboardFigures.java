package dev.weir.gateway.dashboard;

import dev.weir.gateway.metrics.Metric;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Tag;
import java.util.ArrayList;
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
      if (name.startsWith(OWN) || name.equals(UPTIME) || DashboardProcess.METERS.contains(name)) {
        figures.add(name, meter);
      }
    }
    return figures;
  }

  private void add(String name, Meter meter) {
    double value = value(meter);
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

  /** Of a timer the time in all; of others the first figure. */
  private static double value(Meter meter) {
    double first = Double.NaN;
    for (Measurement measurement : meter.measure()) {
      if (measurement.getStatistic() == Statistic.TOTAL_TIME) {
        return measurement.getValue();
      }
      first = Double.isNaN(first) ? measurement.getValue() : first;
    }
    return first;
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
   * The second tags of all there is of a metric whose first tag is this, in order.
   *
   * @param first value of the first tag
   */
  Set<String> keys(Metric metric, String first) {
    Set<String> keys = new TreeSet<>();
    of(metric.name()).keySet().stream()
        .filter(tags -> tags.get(0).equals(first))
        .forEach(tags -> keys.add(tags.get(1)));
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

  /**
   * The sum of a metric's figures that begin with these tags; those below 0 stand for none.
   *
   * @param tags values of its first tags, in the order of their keys
   */
  Number sum(String name, String... tags) {
    List<String> first = List.of(tags);
    double sum = 0;
    for (Map.Entry<List<String>, Double> figure : of(name).entrySet()) {
      List<String> all = figure.getKey();
      if (all.size() >= first.size() && all.subList(0, first.size()).equals(first)) {
        sum += Math.max(0, figure.getValue());
      }
    }
    return number(sum);
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
