package dev.weir.bench.cluster.wiretowire;

import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The tables of the scenario: results in the shape of the published ones, which stand beside them.
 */
final class WireToWireTable {
  private record Line(WireToWireCase one, Row row) {
    /** A figure that the system has published for this case; null if it has none. */
    Object published(String system, Function<Published, Object> figure) {
      return Published.of(system, one.access(), one.measured(), one.config())
          .map(figure)
          .orElse(null);
    }

    Long bytes(String extra) {
      return row.extra().get(extra) instanceof Double bytes ? Math.round(bytes) : null;
    }
  }

  private final List<Line> lines = new ArrayList<>();

  void add(WireToWireCase one, Row row) {
    lines.add(new Line(one, row));
  }

  /** The lines of a table for each access method and each aim. */
  List<String> lines() {
    List<String> text = new ArrayList<>();
    for (OptimizeFor optimize : OptimizeFor.values()) {
      for (Published.Access access : Published.Access.values()) {
        List<Line> of =
            lines.stream()
                .filter(line -> line.one.measured() == optimize && line.one.access() == access)
                .toList();
        if (!of.isEmpty()) {
          text.add(
              access
                  + " access, "
                  + (optimize == OptimizeFor.LATENCY ? "at a set rate:" : "saturated:"));
          TextTable<Line> table = names(of);
          text.addAll(
              (optimize == OptimizeFor.LATENCY ? latencies(table) : throughputs(table)).indented());
        }
      }
    }
    text.add(
        "The columns of others are for context: "
            + Published.HARDWARE
            + " ("
            + Published.SOURCE
            + ").");
    return text;
  }

  private static TextTable<Line> names(List<Line> of) {
    return new TextTable<>(of)
        .column("kind", line -> line.one.kind().toString())
        .column("transport", line -> line.one.transportName())
        .column("cpus", line -> line.one.threads());
  }

  private static TextTable<Line> latencies(TextTable<Line> table) {
    return table
        .column("50th % us", line -> line.row.latency(LatencySummary::p50Us))
        .column("99th % us", line -> line.row.latency(LatencySummary::p99Us))
        .column("99.9th % us", line -> line.row.latency(LatencySummary::p999Us))
        .column("50th / floor", line -> line.row.extra().get("xp50"))
        .column("99th / floor", line -> line.row.extra().get("xp99"))
        .column("floor", line -> line.row.extra().get("floor"))
        .column("Rumi 50th", line -> line.published(Published.RUMI, Published::p50Us))
        .column("Rumi 99th", line -> line.published(Published.RUMI, Published::p99Us))
        .column("Rumi 99.9th", line -> line.published(Published.RUMI, Published::p999Us))
        .column("X Platform 50th", line -> line.published(Published.X_PLATFORM, Published::p50Us));
  }

  private static TextTable<Line> throughputs(TextTable<Line> table) {
    return table
        .column("messages/batch", line -> line.row.extra().get(WireToWireScenario.PER_BATCH))
        .column("messages/s", line -> line.row.opsPerSec(Spread::median))
        .column("allocated B/message", line -> line.bytes(WireToWireScenario.ALL_BYTES))
        .column("without log writer", line -> line.bytes(WireToWireScenario.OWN_BYTES))
        .column("Rumi", line -> line.published(Published.RUMI, Published::perSec))
        .column("X Platform", line -> line.published(Published.X_PLATFORM, Published::perSec));
  }
}
