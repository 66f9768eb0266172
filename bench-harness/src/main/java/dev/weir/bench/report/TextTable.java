package dev.weir.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table in plain text with one line for each row: each column is as wide as its widest cell,
 * numbers stand to the right. A column without any content is left out. Not thread-safe.
 */
public final class TextTable<R> {
  private final List<R> rows;
  private final List<Column> columns = new ArrayList<>();

  private record Column(String header, List<String> cells, boolean right) {
    private int width() {
      return Stream.concat(Stream.of(header), cells.stream())
          .mapToInt(String::length)
          .max()
          .orElse(0);
    }

    private String pad(String text) {
      String blanks = " ".repeat(width() - text.length());
      return right ? blanks + text : text + blanks;
    }
  }

  /** A table of these rows, without columns yet. */
  public TextTable(List<R> rows) {
    this.rows = List.copyOf(rows);
  }

  /** Adds a column; a cell may be null for empty. Numbers are written for people to read. */
  public TextTable<R> column(String header, Function<? super R, ?> cell) {
    Object[] cells = rows.stream().map(cell).toArray();
    boolean right =
        Arrays.stream(cells).allMatch(value -> value == null || value instanceof Number);
    if (Arrays.stream(cells).anyMatch(value -> value != null)) {
      List<String> texts =
          Arrays.stream(cells).map(value -> value == null ? "" : Figures.text(value)).toList();
      columns.add(new Column(header, texts, right));
    }
    return this;
  }

  /** Leaves out a column; without effect if there is none of that name. */
  TextTable<R> remove(String header) {
    columns.removeIf(column -> column.header.equals(header));
    return this;
  }

  /** Width of the longest line. */
  int width() {
    return lines().stream().mapToInt(String::length).max().orElse(0);
  }

  /** Header line, rule, and a line for each row; nothing for a table without columns. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (!columns.isEmpty()) {
      lines.add(line(column -> column.pad(column.header)));
      lines.add(line(column -> "-".repeat(column.width())));
      for (int i = 0; i < rows.size(); i++) {
        int row = i;
        lines.add(line(column -> column.pad(column.cells.get(row))));
      }
    }
    return lines;
  }

  /** The same as notes of a scenario, which keep their form if they begin with a blank. */
  public List<String> indented() {
    return lines().stream().map(line -> "  " + line).toList();
  }

  private String line(Function<Column, String> part) {
    return columns.stream().map(part).collect(Collectors.joining("  ")).stripTrailing();
  }
}
