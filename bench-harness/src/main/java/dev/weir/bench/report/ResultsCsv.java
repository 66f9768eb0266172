package dev.weir.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rows for a spreadsheet (RFC 4180): plain fields, figures, verdict, then each extra that any
 * row has, nested ones by a dotted name.
 */
public final class ResultsCsv {
  private static final String LINE_END = "\r\n";

  private ResultsCsv() {}

  /** The rows with a header line. */
  public static String write(List<Row> rows) {
    List<Map<String, Object>> records = rows.stream().map(ResultsCsv::flat).toList();
    Set<String> columns = new LinkedHashSet<>(RowBuilder.FIELDS);
    columns.addAll(figures(null, null).keySet());
    columns.add("verdict");
    records.forEach(row -> columns.addAll(row.keySet()));
    List<String> lines = new ArrayList<>();
    lines.add(line(columns.stream().map(name -> (Object) name).toList()));
    for (Map<String, Object> row : records) {
      lines.add(line(columns.stream().map(name -> row.getOrDefault(name, "")).toList()));
    }
    return String.join(LINE_END, lines) + LINE_END;
  }

  private static Map<String, Object> flat(Row row) {
    Map<String, Object> flat = new LinkedHashMap<>(row.fields());
    flat.putAll(figures(row.opsPerSec(), row));
    flat.put("verdict", row.verdict().toString());
    flatten("extra", row.extra(), flat);
    return flat;
  }

  private static Map<String, Object> figures(OpsPerSec ops, Row row) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("opsPerSecMin", ops == null ? "" : ops.min());
    map.put("opsPerSecMedian", ops == null ? "" : ops.median());
    map.put("opsPerSecMax", ops == null ? "" : ops.max());
    var latency = row == null ? null : row.latency();
    map.put("p50Us", latency == null ? "" : latency.p50Us());
    map.put("p90Us", latency == null ? "" : latency.p90Us());
    map.put("p99Us", latency == null ? "" : latency.p99Us());
    map.put("p99.9Us", latency == null ? "" : latency.p999Us());
    map.put("maxUs", latency == null ? "" : latency.maxUs());
    return map;
  }

  private static void flatten(String prefix, Map<?, ?> map, Map<String, Object> into) {
    map.forEach(
        (name, value) -> {
          String path = prefix + "." + name;
          if (value instanceof Map<?, ?> inner) {
            flatten(path, inner, into);
          } else {
            into.put(path, value == null ? "" : value);
          }
        });
  }

  private static String line(List<Object> cells) {
    return cells.stream().map(ResultsCsv::cell).collect(Collectors.joining(","));
  }

  private static String cell(Object value) {
    Object shown = value instanceof Double figure ? Figures.rounded(figure) : value;
    String text = shown == null ? "" : shown.toString();
    boolean quote = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return quote ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
