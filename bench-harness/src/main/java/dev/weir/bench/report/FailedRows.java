package dev.weir.bench.report;

import dev.weir.bench.verify.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How the report names the rows that have failed. */
final class FailedRows {
  /** Lines at most for the failed rows of a section. */
  private static final int MOST_LINES = 8;

  private FailedRows() {}

  /** Those of the rows that have failed. */
  static List<PublishedRow> of(List<PublishedRow> rows) {
    return rows.stream().filter(row -> row.verdict().equals(Verdict.Kind.FAIL.name())).toList();
  }

  /**
   * The names of failed rows in one line: scenario, case and path, each name once with the number
   * of its rows. The reason follows if there is only one row. Names for which there is no room are
   * counted.
   *
   * @param rows at least one
   */
  static String names(List<PublishedRow> rows, int width) {
    Map<String, Long> counts =
        rows.stream()
            .collect(
                Collectors.groupingBy(FailedRows::name, LinkedHashMap::new, Collectors.counting()));
    if (rows.size() == 1) {
      return PageOne.shortened(name(rows.get(0)) + ": " + rows.get(0).reasons(), width);
    }
    List<String> names =
        counts.entrySet().stream()
            .map(name -> name.getKey() + (name.getValue() > 1 ? " x" + name.getValue() : ""))
            .toList();
    Function<Integer, String> first =
        shown -> {
          String some = String.join(", ", names.subList(0, shown));
          int left = names.size() - shown;
          return left == 0 ? some : some + " and " + left + " more";
        };
    int shown = names.size();
    while (shown > 1 && first.apply(shown).length() > width) {
      shown--;
    }
    return PageOne.shortened(first.apply(shown), width);
  }

  /** A scenario that threw has neither case nor path. */
  private static String name(PublishedRow row) {
    return Stream.of(Row.SCENARIO, "case", "path")
        .map(row::get)
        .filter(Objects::nonNull)
        .map(Object::toString)
        .collect(Collectors.joining(" "));
  }

  /** A line for each of these rows with its name and its reasons. */
  static List<String> lines(List<PublishedRow> rows) {
    boolean fit = rows.size() <= MOST_LINES;
    List<String> lines = new ArrayList<>();
    for (PublishedRow row : rows.subList(0, fit ? rows.size() : MOST_LINES - 1)) {
      String text = "Failed: " + row.label() + ": " + row.reasons();
      lines.add(PageOne.shortened(text, PageOne.MAX_WIDTH));
    }
    if (!fit) {
      lines.add("Failed: " + (rows.size() - lines.size()) + " more rows: see the result files");
    }
    return lines;
  }
}
