package dev.weir.queue.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Lines with aligned columns: the first to the left, the others to the right. */
final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... head) {
    rows.add(List.of(head));
  }

  void row(Object... cells) {
    rows.add(Arrays.stream(cells).map(String::valueOf).toList());
  }

  void print(Consumer<String> out) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(row.get(0));
      line.append(" ".repeat(widths[0] - row.get(0).length()));
      for (int i = 1; i < widths.length; i++) {
        line.append("  ").append(" ".repeat(widths[i] - row.get(i).length())).append(row.get(i));
      }
      out.accept(line.toString());
    }
  }
}
