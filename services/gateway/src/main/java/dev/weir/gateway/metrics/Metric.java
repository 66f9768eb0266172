package dev.weir.gateway.metrics;

import java.util.List;
import java.util.Locale;

/**
 * One metric.
 *
 * @param name as Micrometer has it, with dots
 * @param type how it moves
 * @param unit {@code seconds}, {@code bytes}, {@code messages} and the like, or what the values
 *     stand for
 * @param tags keys of its tags, in order
 * @param meaning one line for people
 */
public record Metric(String name, Type type, String unit, List<String> tags, String meaning) {

  /** How a metric moves. */
  public enum Type {
    /** A level. */
    GAUGE,
    /** Grows only, from the start of what it counts. */
    COUNTER,
    /** Counts by buckets, a count and a sum, for percentiles. */
    HISTOGRAM;

    /** As Prometheus has it. */
    public String prometheusName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Metric {
    tags = List.copyOf(tags);
  }

  /** The name in a scrape; of a histogram, without the ends of its parts, as {@code _bucket}. */
  public String prometheusName() {
    String base = name.replace('.', '_');
    return type == Type.COUNTER ? base + "_total" : base;
  }

  /** What people read about it in a scrape. */
  public String help() {
    return Character.toUpperCase(unit.charAt(0)) + unit.substring(1) + ": " + meaning;
  }
}
