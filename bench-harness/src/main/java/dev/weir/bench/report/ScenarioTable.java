package dev.weir.bench.report;

import dev.weir.bench.record.LatencySummary;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lays the rows of one scenario out as a table. */
final class ScenarioTable {
  /**
   * Left out one after the other while a table is too wide; the other result files have them all.
   * What a scenario shows by {@link Row#column} is never left out: figures mislead without it.
   */
  private static final List<String> DISPENSABLE =
      List.of("rounds", "operations", "loop", "p90 us", "max/s", "min/s", "noise us", "workers");

  private ScenarioTable() {}

  /** The lines of the table, which are wider than asked only if nothing can be left out. */
  static List<String> lines(List<Row> rows, int maxWidth) {
    TextTable<Row> table = whole(rows);
    for (String header : DISPENSABLE) {
      if (table.width() > maxWidth) {
        table.remove(header);
      }
    }
    return table.lines();
  }

  private static TextTable<Row> whole(List<Row> rows) {
    TextTable<Row> table =
        new TextTable<>(rows)
            .column("case", row -> row.fields().get("case"))
            .column("path", row -> row.fields().get("path"))
            .column("body", row -> row.fields().get("body"))
            .column("flush", row -> row.fields().get("flush"))
            .column("backlog", row -> row.fields().get("backlog"))
            .column("bytes", row -> row.fields().get("payloadBytes"))
            .column("in flight", row -> row.fields().get("inFlight"))
            .column("workers", row -> row.fields().get("workers"))
            .column("rounds", row -> row.fields().get("rounds"))
            .column("operations", row -> row.fields().get("operations"))
            .column("loop", row -> row.extra().get("loop"))
            .column("min/s", row -> row.opsPerSec(Spread::min))
            .column("median/s", row -> row.opsPerSec(Spread::median))
            .column("max/s", row -> row.opsPerSec(Spread::max))
            .column("p50 us", row -> row.latency(LatencySummary::p50Us))
            .column("p90 us", row -> row.latency(LatencySummary::p90Us))
            .column("p99 us", row -> row.latency(LatencySummary::p99Us))
            .column("p99.9 us", row -> row.latency(LatencySummary::p999Us))
            .column("max us", row -> row.latency(LatencySummary::maxUs))
            .column("noise us", ScenarioTable::noise);
    Set<String> disclosed = new LinkedHashSet<>();
    rows.forEach(row -> disclosed.addAll(row.columns()));
    disclosed.forEach(name -> table.column(name, row -> row.extra().get(name)));
    return table.column("verdict", row -> row.verdict().name());
  }

  /** The machine's scheduling noise at p99, measured while the row was. */
  private static Object noise(Row row) {
    return row.extra().get("jitterUs") instanceof Map<?, ?> jitter
            && jitter.get("p99") instanceof Double late
            && !late.isNaN()
        ? late
        : null;
  }
}
