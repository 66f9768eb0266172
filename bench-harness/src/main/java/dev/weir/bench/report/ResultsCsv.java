package dev.weir.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The rows for a spreadsheet (RFC 4180): the plain fields, then all else that the JSON form of any
 * row has, nested names joined by a dot. Lists of numbers are in the JSON form only.
 */
final class ResultsCsv {
  private static final String LINE_END = "\r\n";

  private ResultsCsv() {}

  /** The rows with a header line. */
  static String write(List<Row> rows) {
    List<Map<String, Object>> records = rows.stream().map(ResultsCsv::flat).toList();
    Set<String> columns = new LinkedHashSet<>(Row.FIELDS);
    records.forEach(row -> columns.addAll(row.keySet()));
    List<String> lines = new ArrayList<>();
    lines.add(line(columns, name -> name));
    records.forEach(row -> lines.add(line(columns, row::get)));
    return String.join(LINE_END, lines) + LINE_END;
  }

  private static Map<String, Object> flat(Row row) {
    Map<String, Object> flat = new LinkedHashMap<>();
    flatten("", ResultsJson.row(row), flat);
    return flat;
  }

  private static void flatten(String prefix, Map<?, ?> map, Map<String, Object> into) {
    map.forEach(
        (name, value) -> {
          if (value instanceof Map<?, ?> inner) {
            flatten(prefix + name + ".", inner, into);
          } else if (!(value instanceof List<?> list && isNumbers(list))) {
            into.put(prefix + name, value);
          }
        });
  }

  private static boolean isNumbers(List<?> list) {
    return !list.isEmpty() && list.get(0) instanceof Number;
  }

  private static String line(Set<String> columns, Function<String, Object> cell) {
    return columns.stream().map(cell).map(ResultsCsv::quoted).collect(Collectors.joining(","));
  }

  private static String quoted(Object value) {
    String text = value == null ? "" : value.toString();
    boolean quote = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return quote ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
