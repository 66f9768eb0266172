package dev.weir.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A table in plain text: each column as wide as its widest cell, numbers to the right. A column
 * without any content is left out. Not thread-safe.
 */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<String> headers = new ArrayList<>();
  private final List<List<Object>> columns = new ArrayList<>();

  /** Adds a column; a cell may be null for empty. Numbers are written for people to read. */
  public TextTable column(String header, List<?> cells) {
    if (cells.stream().anyMatch(cell -> cell != null)) {
      headers.add(header);
      columns.add(new ArrayList<>(cells));
    }
    return this;
  }

  /** Leaves out a column; without effect if there is none of that name. */
  public TextTable remove(String header) {
    int index = headers.indexOf(header);
    if (index >= 0) {
      headers.remove(index);
      columns.remove(index);
    }
    return this;
  }

  /** Width of the longest line. */
  public int width() {
    return lines().stream().mapToInt(String::length).max().orElse(0);
  }

  /** Header line, rule, and a line for each row; nothing for a table without columns. */
  public List<String> lines() {
    if (columns.isEmpty()) {
      return List.of();
    }
    int height = columns.get(0).size();
    List<StringBuilder> lines = new ArrayList<>();
    for (int line = 0; line < height + 2; line++) {
      lines.add(new StringBuilder());
    }
    for (int i = 0; i < columns.size(); i++) {
      append(lines, headers.get(i), columns.get(i));
    }
    return lines.stream().map(line -> line.toString().stripTrailing()).toList();
  }

  private static void append(List<StringBuilder> lines, String header, List<Object> cells) {
    List<String> texts = cells.stream().map(c -> c == null ? "" : Figures.text(c)).toList();
    int width = texts.stream().mapToInt(String::length).max().orElse(0);
    int full = Math.max(width, header.length());
    boolean right = cells.stream().allMatch(cell -> cell == null || cell instanceof Number);
    String gap = lines.get(0).length() == 0 ? "" : GAP;
    lines.get(0).append(gap).append(pad(header, full, right));
    lines.get(1).append(gap).append("-".repeat(full));
    for (int row = 0; row < texts.size(); row++) {
      lines.get(row + 2).append(gap).append(pad(texts.get(row), full, right));
    }
  }

  private static String pad(String text, int width, boolean right) {
    String blanks = " ".repeat(width - text.length());
    return right ? blanks + text : text + blanks;
  }
}
