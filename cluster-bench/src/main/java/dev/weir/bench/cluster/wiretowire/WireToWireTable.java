package dev.weir.bench.cluster.wiretowire;

import dev.weir.bench.cluster.floors.Floors;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The tables of the scenario: results in the shape of the published ones, which stand beside them.
 */
final class WireToWireTable {
  private record Line(WireToWireCase one, OptimizeFor optimize, Row row) {
    Published published(String system) {
      return Published.of(system, one.access(), optimize, one.config()).orElse(null);
    }

    Double latency(Function<LatencySummary, Double> figure) {
      return row.latency() == null ? null : figure.apply(row.latency());
    }
  }

  private static final String INDENT = "  ";

  private final Floors floors;
  private final List<Line> lines = new ArrayList<>();

  WireToWireTable(Floors floors) {
    this.floors = floors;
  }

  void add(WireToWireCase one, OptimizeFor optimize, Row row) {
    lines.add(new Line(one, optimize, row));
  }

  /** The lines of a table for each access method and each aim. */
  List<String> lines() {
    List<String> text = new ArrayList<>();
    for (OptimizeFor optimize : OptimizeFor.values()) {
      for (Published.Access access : Published.Access.values()) {
        List<Line> of =
            lines.stream()
                .filter(line -> line.optimize == optimize && line.one.access() == access)
                .toList();
        if (!of.isEmpty()) {
          text.add(access + " access, optimized for " + optimize + ":");
          List<String> table = optimize == OptimizeFor.LATENCY ? latencies(of) : throughputs(of);
          table.forEach(line -> text.add(INDENT + line));
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

  private static TextTable names(List<Line> of) {
    return new TextTable()
        .column("kind", of.stream().map(line -> line.one.kind().toString()).toList())
        .column("transport", of.stream().map(line -> line.one.transportName()).toList())
        .column("cpus", of.stream().map(line -> line.one.threads()).toList());
  }

  private List<String> latencies(List<Line> of) {
    return names(of)
        .column("50th % us", cells(of, line -> line.latency(LatencySummary::p50Us)))
        .column("99th % us", cells(of, line -> line.latency(LatencySummary::p99Us)))
        .column("99.9th % us", cells(of, line -> line.latency(LatencySummary::p999Us)))
        .column("50th / floor", cells(of, this::ratio))
        .column("floor", cells(of, line -> ratio(line) == null ? null : line.one.floor()))
        .column("Rumi 50th", cells(of, line -> p50(line, Published.RUMI)))
        .column("Rumi 99th", cells(of, line -> published(line, Published::p99Us)))
        .column("Rumi 99.9th", cells(of, line -> published(line, Published::p999Us)))
        .column("X Platform 50th", cells(of, line -> p50(line, Published.X_PLATFORM)))
        .lines();
  }

  private static List<String> throughputs(List<Line> of) {
    return names(of)
        .column(
            "messages/s",
            cells(of, line -> line.row.opsPerSec() == null ? null : line.row.opsPerSec().median()))
        .column("allocated B/message", cells(of, line -> bytes(line, WireToWireScenario.ALL_BYTES)))
        .column("without log writer", cells(of, line -> bytes(line, WireToWireScenario.OWN_BYTES)))
        .column("Rumi", cells(of, line -> perSec(line, Published.RUMI)))
        .column("X Platform", cells(of, line -> perSec(line, Published.X_PLATFORM)))
        .lines();
  }

  private static Long bytes(Line line, String extra) {
    return line.row.extra().get(extra) instanceof Double bytes ? Math.round(bytes) : null;
  }

  private static <T> List<T> cells(List<Line> of, Function<Line, T> cell) {
    List<T> cells = new ArrayList<>();
    of.forEach(line -> cells.add(cell.apply(line)));
    return cells;
  }

  private Double ratio(Line line) {
    OptionalDouble floor = floors.p50Us(line.one.floor());
    return floor.isEmpty() || line.row.latency() == null
        ? null
        : line.row.latency().p50Us() / floor.getAsDouble();
  }

  private static Double p50(Line line, String system) {
    Published published = line.published(system);
    return published == null ? null : published.p50Us();
  }

  private static Double published(Line line, Function<Published, Double> figure) {
    Published published = line.published(Published.RUMI);
    return published == null ? null : figure.apply(published);
  }

  private static Long perSec(Line line, String system) {
    Published published = line.published(system);
    return published == null ? null : published.perSec();
  }
}
