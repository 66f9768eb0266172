package dev.weir.bench.cluster.wiretowire;

import dev.weir.bench.report.TextTable;
import java.util.ArrayList;
import java.util.List;

/**
 * A table of figures.
 *
 * @param rows each with a cell for each column: a number, a text, or null for an empty one
 */
record ResultTable(String title, List<String> columns, List<List<Object>> rows) {

  /** The title and the lines of the table, as notes of a scenario. */
  List<String> lines() {
    TextTable<List<Object>> text = new TextTable<>(rows);
    for (int i = 0; i < columns.size(); i++) {
      int column = i;
      text.column(columns.get(i), row -> row.get(column));
    }
    List<String> lines = new ArrayList<>(List.of(title + ":"));
    lines.addAll(text.indented());
    return lines;
  }
}
