package dev.weir.bench.cluster.wiretowire;

import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.cluster.wiretowire.Published.Access;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The tables of the scenario: results in the shape of the published ones, which stand below them.
 */
final class WireToWireTable {
  private static final String WEIR = "Weir";
  private static final String VERSUS = "vs X Platform %";

  private static final List<String> NAMES =
      List.of("system", "kind", "transport", "CPU config", "encoding", "# CPUs");
  private static final List<String> LATENCY =
      List.of(
          "50th % us",
          "99th % us", "99.9th % us", VERSUS, "50th / floor", "99th / floor", "floor", "remark");
  private static final List<String> THROUGHPUT =
      List.of(
          "messages/s",
          VERSUS,
          "messages/batch",
          "allocated B/message",
          "without log writer",
          "remark");

  /** A case and its row; null if it was not run. */
  private record Line(WireToWireCase one, Row row) {
    /** The median latency in us, or messages a second. */
    double figure() {
      Double figure =
          one.measured() == OptimizeFor.LATENCY
              ? row.latency(LatencySummary::p50Us)
              : row.opsPerSec(Spread::median);
      return figure == null ? Double.NaN : figure;
    }

    Object extra(String name) {
      return row.extra().get(name);
    }
  }

  private final List<Line> lines = new ArrayList<>();

  /** Adds a row, and to the row what the tables compare. */
  void add(WireToWireCase one, Row row) {
    Line line = new Line(one, row);
    lines.add(line);
    Published other = Published.best(Published.X_PLATFORM, one.access(), one.measured());
    row.extra(VERSUS, percent(line.figure(), other));
  }

  /** Adds a case for which this machine has too few CPUs. */
  void addNotRun(WireToWireCase one) {
    lines.add(new Line(one, null));
  }

  private static long percent(double figure, Published other) {
    return Math.round(100 * (figure / other.figure() - 1));
  }

  /** A table for each aim and each access method, and one of the best configurations. */
  List<ResultTable> tables() {
    List<ResultTable> tables = new ArrayList<>();
    List<List<Object>> best = new ArrayList<>();
    for (OptimizeFor measured : OptimizeFor.values()) {
      for (Access access : Access.values()) {
        List<Line> of = of(access, measured);
        if (!of.isEmpty()) {
          tables.add(table(access, measured, of));
          best(of).ifPresent(line -> best.add(comparison(access, measured, line)));
        }
      }
    }
    tables.add(
        new ResultTable(
            "best configurations",
            List.of(
                "access",
                "figure",
                Published.X_PLATFORM,
                "# CPUs ",
                Published.RUMI,
                "# CPUs  ",
                WEIR,
                "# CPUs",
                "Weir's configuration",
                VERSUS,
                "vs Rumi %"),
            best));
    return tables;
  }

  private List<Line> of(Access access, OptimizeFor measured) {
    return lines.stream()
        .filter(line -> line.one.measured() == measured && line.one.access() == access)
        .toList();
  }

  private static ResultTable table(Access access, OptimizeFor measured, List<Line> of) {
    boolean latency = measured == OptimizeFor.LATENCY;
    List<String> columns = new ArrayList<>(NAMES);
    columns.addAll(latency ? LATENCY : THROUGHPUT);
    List<List<Object>> rows = new ArrayList<>();
    for (Line line : of) {
      List<Object> row = names(line);
      if (line.row == null) {
        while (row.size() < columns.size() - 1) {
          row.add(null);
        }
        row.add("not run: needs " + line.one.neededCpus() + " CPUs");
      } else {
        row.addAll(latency ? latencies(line) : throughputs(line));
      }
      rows.add(row);
    }
    for (Published published : Published.of(access, measured)) {
      List<Object> row = names(published);
      row.addAll(figures(published));
      while (row.size() < columns.size()) {
        row.add(null);
      }
      rows.add(row);
    }
    return new ResultTable(access + " access, " + measured, columns, rows);
  }

  private static List<Object> names(Line line) {
    return new ArrayList<>(
        Arrays.asList(
            WEIR,
            line.one.kind().toString(),
            line.one.transportName(),
            line.one.threads(),
            line.one.encoding().toString(),
            line.row == null ? null : line.extra(WireToWireScenario.CPUS)));
  }

  private static List<Object> names(Published published) {
    return new ArrayList<>(
        Arrays.asList(
            published.system(),
            null,
            null,
            published.config() == null ? "best" : published.config().toString(),
            published.system().equals(Published.RUMI) ? "xbuf2." + published.access() : null,
            published.cpus()));
  }

  private static List<Object> latencies(Line line) {
    return Arrays.asList(
        line.row.latency(LatencySummary::p50Us),
        line.row.latency(LatencySummary::p99Us),
        line.row.latency(LatencySummary::p999Us),
        line.extra(VERSUS),
        line.extra("xp50"),
        line.extra("xp99"),
        line.extra("floor"),
        null);
  }

  private static List<Object> throughputs(Line line) {
    return Arrays.asList(
        line.row.opsPerSec(Spread::median),
        line.extra(VERSUS),
        line.extra(WireToWireScenario.PER_BATCH),
        line.extra(WireToWireScenario.ALL_BYTES),
        line.extra(WireToWireScenario.OWN_BYTES),
        null);
  }

  private static List<Object> figures(Published row) {
    Integer versus = row.vsXPlatformPercent() == 0 ? null : row.vsXPlatformPercent();
    if (row.optimize() == OptimizeFor.THROUGHPUT) {
      return Arrays.asList(row.perSec(), versus);
    }
    return Arrays.asList(row.p50Us(), orNull(row.p99Us()), orNull(row.p999Us()), versus);
  }

  private static Double orNull(double us) {
    return us == 0 ? null : us;
  }

  /** The best by p99 or by messages a second, of those whose figures nothing speaks against. */
  private static Optional<Line> best(List<Line> of) {
    boolean latency = of.get(0).one.measured() == OptimizeFor.LATENCY;
    Comparator<Line> byTail =
        Comparator.comparing(
            line -> line.row.latency(LatencySummary::p99Us),
            Comparator.nullsLast(Comparator.naturalOrder()));
    return of.stream()
        .filter(line -> line.row != null && isSound(line.row.verdict()))
        .min(latency ? byTail : Comparator.comparingDouble(Line::figure).reversed());
  }

  private static boolean isSound(Verdict verdict) {
    return verdict.without(Verdict.Kind.UNSTABLE).isOk();
  }

  private static List<Object> comparison(Access access, OptimizeFor measured, Line line) {
    Published platform = Published.best(Published.X_PLATFORM, access, measured);
    Published rumi = Published.best(Published.RUMI, access, measured);
    return Arrays.asList(
        access.toString(),
        measured == OptimizeFor.LATENCY ? "50th % us" : "messages/s",
        platform.figure(),
        platform.cpus(),
        rumi.figure(),
        rumi.cpus(),
        line.figure(),
        line.extra(WireToWireScenario.CPUS),
        String.join(" ", line.one.kind().toString(), line.one.transportName(), line.one.threads()),
        percent(line.figure(), platform),
        percent(line.figure(), rumi));
  }

  /** The lines of all tables, and what the published figures are of. */
  List<String> lines() {
    List<String> text = new ArrayList<>();
    tables().forEach(table -> text.addAll(table.lines()));
    text.add(
        "# CPUs: threads of the primary that are busy, without the one that makes messages. vs X"
            + " Platform: Weir's figures against the best of X Platform 3.16, Rumi's as published,"
            + " against the same configuration. Figures of others are for context: "
            + Published.HARDWARE
            + " ("
            + Published.SOURCE
            + ").");
    return text;
  }
}
