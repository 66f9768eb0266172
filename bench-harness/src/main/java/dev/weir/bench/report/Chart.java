package dev.weir.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One chart of the page.
 *
 * @param id unique in the page, of letters, digits and dashes
 * @param about what the reader should know about it; may be empty
 * @param lines what is drawn
 * @param rows the rows of its table
 */
record Chart(
    String id,
    String title,
    String about,
    Axis x,
    Axis y,
    List<Line> lines,
    List<PublishedRow> rows) {

  /** How an axis is drawn. */
  enum Scale {
    LINEAR,
    LOGARITHMIC,
    /** Of 1 / (1 - q): a percentile near 100 takes as much room as one near 50. */
    PERCENTILE
  }

  /** An axis with its unit. */
  record Axis(String label, Scale scale) {}

  /**
   * A named line.
   *
   * @param points x, then y
   * @param events texts at times of the x-axis, in the order of the points; empty for a plain line
   */
  record Line(String name, List<List<Double>> points, List<String> events) {
    Line(String name, List<List<Double>> points) {
      this(name, points, List.of());
    }
  }

  /** What the script of the page draws. */
  Map<String, Object> data() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("id", id);
    data.put("x", x);
    data.put("y", y);
    data.put("lines", lines);
    return data;
  }
}
