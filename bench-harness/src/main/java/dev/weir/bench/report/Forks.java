package dev.weir.bench.report;

import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.verify.Verdict;
import dev.weir.bench.verify.Verdict.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Puts what further JVMs have measured into the rows of the first one. Two JVMs compile the same
 * code in different ways, so rounds of one JVM agree better than they deserve.
 */
public final class Forks {
  /** Extra: how many JVMs measured the row. */
  public static final String COUNT = "JVMs";

  /** Extra: half of the 95 % confidence interval over the JVMs, in percent of their mean. */
  public static final String CONFIDENCE = "ci95%";

  /** Student's t at 97.5 % for 1, 2, ... degrees of freedom. */
  private static final double[] T = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228
  };

  /** JVMs at most. */
  public static final int MOST = T.length + 1;

  private Forks() {}

  /**
   * Adds to each row the rounds of the same row in the result files: throughput over the rounds of
   * all JVMs, its confidence interval, ratios over the rounds of all JVMs, their range widened to
   * their confidence interval, the medians of the other columns and of the percentiles, and all
   * verdicts. The curve of percentiles stays that of the first JVM. A row that has failed in
   * another JVM and is in none of these, because its scenario threw, is added.
   */
  public static void merge(List<Row> rows, List<Path> files) throws IOException {
    List<Map<String, PublishedRow>> others = new ArrayList<>();
    for (Path file : files) {
      others.add(
          PublishedRun.read(file).rows().stream()
              .collect(
                  Collectors.toMap(
                      PublishedRow::label, Function.identity(), (first, second) -> first)));
    }
    for (Row row : rows) {
      if (row.opsPerSec() != null) {
        String label = new PublishedRow(ResultsJson.row(row)).label();
        Map<Integer, PublishedRow> byJvm = new TreeMap<>();
        for (int i = 0; i < others.size(); i++) {
          PublishedRow same = others.get(i).remove(label);
          if (same != null) {
            byJvm.put(i, same);
          }
        }
        if (!byJvm.isEmpty()) {
          merge(row, byJvm);
        }
      }
    }
    for (int i = 0; i < others.size(); i++) {
      addFailed(rows, jvm(i), others.get(i).values());
    }
  }

  private static void addFailed(List<Row> rows, String jvm, Collection<PublishedRow> left) {
    for (PublishedRow row : left) {
      if (Kind.FAIL.name().equals(row.verdict())) {
        rows.add(
            Row.of(String.valueOf(row.get(Row.SCENARIO)))
                .path(jvm)
                .verdict(Verdict.fail(row.label() + ": " + row.reasons())));
      }
    }
  }

  private static String jvm(int other) {
    return "JVM " + (other + 2);
  }

  private static void merge(Row row, Map<Integer, PublishedRow> byJvm) {
    List<PublishedRow> others = List.copyOf(byJvm.values());
    List<Double> rounds = new ArrayList<>(row.opsPerSec().rounds());
    List<Double> medians = new ArrayList<>(List.of(row.opsPerSec().median()));
    for (PublishedRow other : others) {
      rounds.addAll(other.rounds());
      medians.add(other.number("opsPerSec.median"));
    }
    PublishedRow first = new PublishedRow(ResultsJson.row(row));
    for (String column : List.copyOf(row.columns())) {
      String ofRounds = "extra." + Row.RATIOS + "." + column + ".rounds";
      List<Double> ratios = new ArrayList<>(first.numbers(ofRounds));
      if (!ratios.isEmpty()) {
        List<Double> ofJvms = new ArrayList<>(List.of(Spread.of(doubles(ratios)).median()));
        for (PublishedRow other : others) {
          List<Double> further = other.numbers(ofRounds);
          if (!further.isEmpty()) {
            ratios.addAll(further);
            ofJvms.add(Spread.of(doubles(further)).median());
          }
        }
        row.ratio(column, widened(Spread.of(doubles(ratios)), doubles(ofJvms)));
      } else if (row.extra().get(column) instanceof Number own) {
        row.extra(column, median(own, others, "extra." + column));
      }
    }
    if (row.latency() != null) {
      List<LatencySummary> latencies =
          Stream.concat(Stream.of(row.latency()), others.stream().map(PublishedRow::latency))
              .toList();
      row.latency(medians(latencies));
    }
    for (String sum : List.of(Doubts.MEASURED_MS, "gcPauseMs", "gcCount")) {
      sum(row, sum, others);
    }
    row.opsPerSec(Spread.of(doubles(rounds)))
        .rounds(rounds.size())
        .extra(COUNT, medians.size())
        .extra("mediansOfJvms", medians)
        .column(CONFIDENCE, confidencePercent(doubles(medians)))
        .and(verdict(byJvm))
        .and(Doubts.acrossForks(row))
        .and(FloorRatio.acrossForks(row));
  }

  /** The median of each percentile that all JVMs have, and the longest response time. */
  private static LatencySummary medians(List<LatencySummary> jvms) {
    return new LatencySummary(
        jvms.stream().mapToLong(LatencySummary::count).sum(),
        median(jvms, LatencySummary::p50Us),
        median(jvms, LatencySummary::p90Us),
        median(jvms, LatencySummary::p99Us),
        median(jvms, LatencySummary::p999Us),
        jvms.stream().mapToDouble(LatencySummary::maxUs).max().orElseThrow());
  }

  private static double median(
      List<LatencySummary> jvms, ToDoubleFunction<LatencySummary> percentile) {
    double[] values = jvms.stream().mapToDouble(percentile).toArray();
    boolean known = Arrays.stream(values).allMatch(Double::isFinite);
    return known ? Spread.of(values).median() : Double.NaN;
  }

  private static void sum(Row row, String extra, List<PublishedRow> others) {
    if (row.extra().get(extra) instanceof Number own) {
      double further = others.stream().mapToDouble(o -> o.number("extra." + extra)).sum();
      row.extra(extra, own.doubleValue() + further);
    }
  }

  private static Number median(Number own, List<PublishedRow> others, String path) {
    List<Double> values = new ArrayList<>(List.of(own.doubleValue()));
    others.stream().map(other -> other.number(path)).filter(Double::isFinite).forEach(values::add);
    double median = Spread.of(doubles(values)).median();
    return own instanceof Double ? (Number) median : (Number) Math.round(median);
  }

  /** What the further JVMs had to say against their figures. */
  private static Verdict verdict(Map<Integer, PublishedRow> byJvm) {
    Verdict verdict = Verdict.ok();
    for (Map.Entry<Integer, PublishedRow> other : byJvm.entrySet()) {
      PublishedRow row = other.getValue();
      if (!row.isOk()) {
        verdict =
            verdict.and(
                Verdict.of(
                    Kind.valueOf(row.verdict()), jvm(other.getKey()) + ": " + row.reasons()));
      }
    }
    return verdict;
  }

  /** Few JVMs that happen to agree say little about the next one: the interval knows how many. */
  private static Spread widened(Spread ofRounds, double... ofJvms) {
    if (ofJvms.length < 2) {
      return ofRounds;
    }
    double half = confidence(ofJvms);
    double mean = mean(ofJvms);
    return ofRounds.widened(Math.max(0, mean - half), mean + half);
  }

  /** Of at least two values. */
  static double confidencePercent(double... values) {
    return 100 * confidence(values) / mean(values);
  }

  private static double confidence(double... values) {
    double mean = mean(values);
    double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
    double deviation = Math.sqrt(squares / (values.length - 1));
    return T[values.length - 2] * deviation / Math.sqrt(values.length);
  }

  private static double mean(double... values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double[] doubles(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
