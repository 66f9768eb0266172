package dev.weir.bench.report;

import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.verify.Verdict;
import dev.weir.bench.verify.Verdict.Kind;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A row over its floor: throughput and CPU time of a saturated row, or the response times of a row
 * at a set rate. Where the rounds of both took turns, the ratio is the median over pairs of rounds,
 * and the row states its range; otherwise the ratio is that of the medians. No row can be better
 * than its floor. One that is shows that the floor does not do the same work, or is not as warm. A
 * doubt about the floor is one about the ratio.
 */
final class FloorRatio {
  /** A ratio that is better than 1 by no more than this is noise. */
  private static final double NOISE = 1.05;

  /** Response times spread more than throughput does. */
  private static final double LATENCY_NOISE = 1.15;

  /** Fewer rounds are too often all on one side by chance; five are in one case of 32. */
  private static final int LEAST_TAIL_ROUNDS = 5;

  /** Extra: case and path of the floor. */
  private static final String FLOOR = "floor";

  private static final String P99 = "xp99";

  private final Row row;
  private final Row floor;
  private final boolean paired;

  FloorRatio(Row row, Row floor) {
    this.row = row;
    this.floor = floor;
    this.paired = row.tookTurnsWith(floor);
  }

  /**
   * Adds the ratios to the row and judges them.
   *
   * @param column the name of the ratio of throughputs
   */
  void addTo(String column) {
    row.extra(FLOOR, floor.label());
    if (Doubts.isPaced(row)) {
      addLatencies();
    } else if (row.opsPerSec() != null && floor.opsPerSec() != null) {
      addThroughput(column);
      if (paired && row.cpuUs() != null && floor.cpuUs() != null) {
        addCpu(column + "Cpu");
      }
    }
    row.and(doubtsOfFloor());
  }

  /**
   * What speaks against the floor, whether or not it was reported before. Rounds of the floor that
   * differ are no reason: they show in the range of the ratio.
   */
  private Verdict doubtsOfFloor() {
    return floor.verdict().and(Doubts.about(floor)).without(Kind.UNSTABLE).reasons().stream()
        .distinct()
        .map(reason -> Verdict.of(Kind.SUSPECT, reason).in("floor " + floor.label()))
        .reduce(Verdict.ok(), Verdict::and);
  }

  /** The CPU time hardly depends on what else the machine does. */
  private void addCpu(String column) {
    Spread ratio = row.cpuUs().over(floor.cpuUs());
    row.ratio(column, ratio)
        .and(judge(!(ratio.max() < 1 && ratio.median() < 1 / NOISE), "CPU time", ratio.median()));
  }

  private void addThroughput(String column) {
    Spread ratio = ratio(row.opsPerSec(), floor.opsPerSec());
    if (paired) {
      row.ratio(column, ratio);
    } else {
      row.column(column, ratio.median());
    }
    row.and(judge(!(ratio.min() > 1 && ratio.median() > NOISE), "throughput", ratio.median()));
  }

  /** Of rounds that did not take turns only the range is known in which the ratio must be. */
  private Spread ratio(Spread own, Spread least) {
    return paired
        ? own.over(least)
        : new Spread(
            own.min() / least.max(), own.median() / least.median(), own.max() / least.min());
  }

  private void addLatencies() {
    if (row.latency() == null || floor.latency() == null) {
      return;
    }
    Map<String, Object> ratios = new LinkedHashMap<>();
    ratios.put("p50", latency("xp50", LatencySummary::p50Us));
    ratios.put("p99", latency(P99, LatencySummary::p99Us));
    ratios.put("p99.9", latency("xp99.9", LatencySummary::p999Us));
    row.extra("xFloorUs", ratios).extra("netUs", netUs());
    double p50 = (Double) ratios.get("p50");
    row.and(judge(!(p50 < 1 / LATENCY_NOISE), "p50", p50));
    Spread own = row.latencies(LatencySummary::p99Us);
    Spread least = floor.latencies(LatencySummary::p99Us);
    if (own != null && least != null && own.rounds().size() >= LEAST_TAIL_ROUNDS) {
      row.and(tail(ratio(own, least), floor.label()));
    }
  }

  /**
   * Judges p99 over all rounds of all JVMs, of which each alone may have too few.
   *
   * @param row at a set rate
   */
  static Verdict acrossForks(Row row) {
    Spread ratio = row.ratio(P99);
    boolean judged =
        Doubts.isPaced(row) && ratio != null && ratio.rounds().size() >= LEAST_TAIL_ROUNDS;
    return judged ? tail(ratio, String.valueOf(row.extra().get(FLOOR))) : Verdict.ok();
  }

  /** A tail is noisy: only one that is shorter than that of the floor in each round cannot be. */
  private static Verdict tail(Spread ratio, String floor) {
    boolean possible = !(ratio.max() < 1 && ratio.median() < 1 / LATENCY_NOISE);
    return judge(possible, "p99", ratio.median(), floor);
  }

  /** What is left of the response times without those of the floor, in microseconds. */
  private Map<String, Object> netUs() {
    LatencySummary own = row.latency();
    LatencySummary least = floor.latency();
    Map<String, Object> net = new LinkedHashMap<>();
    net.put("p50", own.p50Us() - least.p50Us());
    net.put("p99", own.p99Us() - least.p99Us());
    return net;
  }

  /** A percentile for which a round has too few values is that of all rounds together. */
  private double latency(String column, ToDoubleFunction<LatencySummary> percentile) {
    Spread own = row.latencies(percentile);
    Spread least = floor.latencies(percentile);
    if (paired && own != null && least != null) {
      Spread ratio = own.over(least);
      row.ratio(column, ratio);
      return ratio.median();
    }
    double ratio =
        percentile.applyAsDouble(row.latency()) / percentile.applyAsDouble(floor.latency());
    row.column(column, Double.isNaN(ratio) ? null : ratio);
    return ratio;
  }

  private Verdict judge(boolean possible, String what, double ratio) {
    return judge(possible, what, ratio, floor.label());
  }

  private static Verdict judge(boolean possible, String what, double ratio, String floor) {
    return Verdict.ok()
        .unless(
            possible,
            Kind.SUSPECT,
            String.format(
                Locale.ROOT, "%s is %.2f of the floor %s, which cannot be", what, ratio, floor));
  }
}
