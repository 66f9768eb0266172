package dev.weir.bench.report;

import dev.weir.bench.record.LatencySummary;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Lays the rows of one scenario out as a table. */
final class ScenarioTable {
  /** Left out first when a table is too wide, after the extras; all are in the other files. */
  private static final List<String> DISPENSABLE =
      List.of("rounds", "operations", "loop", "p90 us", "max/s", "min/s", "noise us", "workers");

  private final TextTable table = new TextTable();
  private final List<Row> rows;

  private ScenarioTable(List<Row> rows) {
    this.rows = rows;
  }

  static TextTable of(List<Row> rows, int maxWidth) {
    Set<String> extras = new LinkedHashSet<>();
    rows.forEach(row -> extras.addAll(row.columns()));
    TextTable table = new ScenarioTable(rows).build(extras);
    for (String header : dispensable(extras)) {
      if (table.width() > maxWidth) {
        table.remove(header);
      }
    }
    return table;
  }

  /** The last extra goes first. */
  private static List<String> dispensable(Set<String> extras) {
    List<String> headers = new ArrayList<>();
    extras.forEach(extra -> headers.add(0, extra));
    headers.addAll(DISPENSABLE);
    return headers;
  }

  private TextTable build(Set<String> extras) {
    field("case", "case");
    field("path", "path");
    field("body", "body");
    field("flush", "flush");
    field("backlog", "backlog");
    field("bytes", "payloadBytes");
    field("in flight", "inFlight");
    field("workers", "workers");
    field("rounds", "rounds");
    field("operations", "operations");
    cells("loop", row -> row.extra().get("loop"));
    ops("min/s", OpsPerSec::min);
    ops("median/s", OpsPerSec::median);
    ops("max/s", OpsPerSec::max);
    latency("p50 us", LatencySummary::p50Us);
    latency("p90 us", LatencySummary::p90Us);
    latency("p99 us", LatencySummary::p99Us);
    latency("p99.9 us", LatencySummary::p999Us);
    latency("max us", LatencySummary::maxUs);
    cells("noise us", ScenarioTable::noise);
    extras.forEach(name -> cells(name, row -> row.extra().get(name)));
    cells("verdict", row -> row.verdict().isOk() ? "OK" : "FAIL");
    return table;
  }

  private void cells(String header, Function<Row, Object> cell) {
    List<Object> cells = new ArrayList<>();
    rows.forEach(row -> cells.add(cell.apply(row)));
    table.column(header, cells);
  }

  private void field(String header, String name) {
    cells(header, row -> row.fields().get(name));
  }

  private void ops(String header, ToDoubleFunction<OpsPerSec> figure) {
    cells(header, row -> row.opsPerSec() == null ? null : figure.applyAsDouble(row.opsPerSec()));
  }

  private void latency(String header, ToDoubleFunction<LatencySummary> figure) {
    cells(header, row -> row.latency() == null ? null : figure.applyAsDouble(row.latency()));
  }

  /** The machine's scheduling noise at p99.9, measured while the row was. */
  private static Object noise(Row row) {
    return row.extra().get("jitterUs") instanceof Map<?, ?> jitter ? jitter.get("p99.9") : null;
  }
}
