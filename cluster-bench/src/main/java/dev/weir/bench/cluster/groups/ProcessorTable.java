package dev.weir.bench.cluster.groups;

import dev.weir.bench.RunContext;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tables of the scenario: what more groups on the same members bring. */
final class ProcessorTable {
  private final List<Row> rows = new ArrayList<>();

  void report(RunContext context, Row row) {
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
      text.addAll(table(of).indented());
    }
    text.add(
        "Driver and both members share "
            + Runtime.getRuntime().availableProcessors()
            + " CPUs: more groups add throughput only where there are CPUs left.");
    return text;
  }

  private static TextTable<Row> table(List<Row> rows) {
    return new TextTable<>(rows)
        .column("transport", row -> row.fields().get("path"))
        .column("groups", row -> row.extra().get("groups"))
        .column("messages/s", row -> row.opsPerSec(Spread::median))
        .column("of one group", ProcessorTable::ofOneGroup)
        .column("50th % us", row -> row.latency(LatencySummary::p50Us))
        .column("99th % us", row -> row.latency(LatencySummary::p99Us))
        .column("threads started", row -> row.extra().get("threadsStarted"))
        .column("threads of members", ProcessorTable::threads);
  }

  /** The mean, because the groups of a row have equal shares of the load. */
  private static Double ofOneGroup(Row row) {
    Double all = row.opsPerSec(Spread::median);
    return all == null ? null : all / ((Number) row.extra().get("groups")).intValue();
  }

  private static String threads(Row row) {
    List<String> each = new ArrayList<>();
    ((Map<?, ?>) row.extra().get("threadsOfMember"))
        .forEach((member, count) -> each.add(member + " " + count));
    return String.join(", ", each);
  }
}
