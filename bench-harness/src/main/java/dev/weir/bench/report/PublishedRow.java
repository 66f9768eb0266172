package dev.weir.bench.report;

import dev.weir.bench.record.LatencySummary;
import java.util.List;
import java.util.Map;

/**
 * A row as it stands in a result file.
 *
 * @param json the members of the row
 */
record PublishedRow(Map<?, ?> json) {
  private static final String OK = "OK";

  /**
   * The value at a path of names joined by dots, {@code latencyUs.p99.9} for example, where a name
   * may have dots too; null if there is none.
   */
  Object get(String path) {
    return get(json, path);
  }

  private static Object get(Map<?, ?> map, String path) {
    if (map.containsKey(path)) {
      return map.get(path);
    }
    for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
      if (map.get(path.substring(0, dot)) instanceof Map<?, ?> inner) {
        return get(inner, path.substring(dot + 1));
      }
    }
    return null;
  }

  /** The number at the path; NaN if there is none. */
  double number(String path) {
    return get(path) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  /** The name of the verdict, without the reasons. */
  String verdict() {
    String verdict = String.valueOf(get("verdict"));
    int colon = verdict.indexOf(':');
    return colon < 0 ? verdict : verdict.substring(0, colon);
  }

  /** The reasons of the verdict; empty for OK. */
  String reasons() {
    String verdict = String.valueOf(get("verdict"));
    return verdict.substring(verdict().length()).replaceFirst("^: ", "");
  }

  boolean isOk() {
    return OK.equals(verdict());
  }

  /** What follows a figure of the row; nothing if the row is OK. */
  String mark() {
    return mark(verdict());
  }

  /** What follows a figure whose row has the verdict of this name; nothing for OK. */
  static String mark(String verdict) {
    return switch (verdict) {
      case OK -> "";
      case "UNSTABLE" -> "~";
      case "SUSPECT" -> "?";
      default -> "!";
    };
  }

  /** The mark and the first reason in a few words; empty if the row is OK. */
  String why() {
    return isOk() ? "" : mark() + " " + ShortReason.of(reasons());
  }

  /** Fields that tell one row from another, for a reader. */
  String label() {
    StringBuilder label = new StringBuilder();
    for (String field : Row.FIELDS) {
      Object value = Row.COUNTS.contains(field) ? null : json.get(field);
      if (value != null) {
        label.append(label.isEmpty() ? "" : " ").append(value);
      }
    }
    return label.toString();
  }

  /** The throughput of each round; empty in a result file that has only their range. */
  List<Double> rounds() {
    return numbers("opsPerSec.rounds");
  }

  /** The response times; NaN for what the row does not state. */
  LatencySummary latency() {
    return new LatencySummary(
        0,
        number("latencyUs.p50"),
        number("percentilesUs.p90"),
        number("latencyUs.p99"),
        number("latencyUs.p99.9"),
        number("latencyUs.max"));
  }

  /** The list of numbers at the path; empty if there is none. */
  List<Double> numbers(String path) {
    return get(path) instanceof List<?> numbers
        ? numbers.stream().map(number -> ((Number) number).doubleValue()).toList()
        : List.of();
  }

  /** Range of the rounds over their median, in percent; NaN without rounds. */
  double spreadPercent() {
    double range = number("opsPerSec.max") - number("opsPerSec.min");
    return 100 * range / number("opsPerSec.median");
  }
}
