package dev.weir.bench.cluster.groups;

import dev.weir.bench.RunContext;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.RowBuilder;
import dev.weir.bench.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The tables of the scenario: what more groups on the same members bring. */
final class ProcessorTable {
  private static final String INDENT = "  ";

  private final List<Row> rows = new ArrayList<>();

  void report(RunContext context, RowBuilder filled) {
    Row row = filled.build();
    rows.add(row);
    context.report(row);
  }

  List<String> lines() {
    List<String> text = new ArrayList<>();
    for (OptimizeFor optimize : OptimizeFor.values()) {
      List<Row> of =
          rows.stream()
              .filter(row -> row.fields().get("case").toString().contains(optimize + ","))
              .toList();
      boolean closed = optimize == OptimizeFor.THROUGHPUT;
      text.add("groups on two members, " + (closed ? "closed loop (capacity):" : "at a set rate:"));
      table(of).lines().forEach(line -> text.add(INDENT + line));
    }
    text.add(
        "Driver and both members share "
            + Runtime.getRuntime().availableProcessors()
            + " CPUs: more groups add throughput only where there are CPUs left.");
    return text;
  }

  private static TextTable table(List<Row> of) {
    return new TextTable()
        .column("transport", cells(of, row -> row.fields().get("path")))
        .column("groups", cells(of, row -> row.extra().get("groups")))
        .column("messages/s", cells(of, ProcessorTable::perSec))
        .column("of one group", cells(of, ProcessorTable::ofOneGroup))
        .column("50th % us", cells(of, row -> latency(row, LatencySummary::p50Us)))
        .column("99th % us", cells(of, row -> latency(row, LatencySummary::p99Us)))
        .column("threads started", cells(of, row -> row.extra().get("threadsStarted")))
        .column("threads of members", cells(of, ProcessorTable::threads));
  }

  private static List<Object> cells(List<Row> of, Function<Row, Object> cell) {
    List<Object> cells = new ArrayList<>();
    of.forEach(row -> cells.add(cell.apply(row)));
    return cells;
  }

  private static Double perSec(Row row) {
    return row.opsPerSec() == null ? null : row.opsPerSec().median();
  }

  /** The mean, because the groups of a row have equal shares of the load. */
  private static Double ofOneGroup(Row row) {
    Double all = perSec(row);
    return all == null ? null : all / ((Number) row.extra().get("groups")).intValue();
  }

  private static Double latency(Row row, Function<LatencySummary, Double> figure) {
    return row.latency() == null ? null : figure.apply(row.latency());
  }

  private static String threads(Row row) {
    List<String> each = new ArrayList<>();
    ((Map<?, ?>) row.extra().get("threadsOfMember"))
        .forEach((member, count) -> each.add(member + " " + count));
    return String.join(", ", each);
  }
}
