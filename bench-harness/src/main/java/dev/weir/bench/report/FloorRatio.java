package dev.weir.bench.report;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.verify.Verdict;
import dev.weir.bench.verify.Verdict.Kind;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A row over its floor: the throughput of a saturated row, or the response times of a row at a set
 * rate. No row can be better than its floor. One that is shows that the floor does not do the same
 * work, or is not as warm.
 */
final class FloorRatio {
  /** A ratio that is better than 1 by no more than this is noise. */
  private static final double NOISE = 1.05;

  /** Response times have no rounds to compare, so their noise is larger. */
  private static final double LATENCY_NOISE = 1.15;

  private final Row row;
  private final Row floor;

  FloorRatio(Row row, Row floor) {
    this.row = row;
    this.floor = floor;
  }

  /**
   * Adds the ratios to the row and judges them.
   *
   * @param column the name of the ratio of throughputs
   */
  void addTo(String column) {
    row.extra("floor", floor.label());
    if (RoundResult.OPEN.equals(row.extra().get("loop"))) {
      addLatencies();
    } else if (row.opsPerSec() != null && floor.opsPerSec() != null) {
      addThroughput(column);
    }
  }

  private void addThroughput(String column) {
    double ratio = row.opsPerSec().median() / floor.opsPerSec().median();
    boolean apart = row.opsPerSec().min() > floor.opsPerSec().max();
    row.column(column, ratio).and(judge(!(apart && ratio > NOISE), "throughput", ratio));
  }

  private void addLatencies() {
    LatencySummary own = row.latency();
    LatencySummary least = floor.latency();
    if (own == null || least == null) {
      return;
    }
    Map<String, Object> ratios = new LinkedHashMap<>();
    ratios.put("p50", own.p50Us() / least.p50Us());
    ratios.put("p99", own.p99Us() / least.p99Us());
    ratios.put("p99.9", own.p999Us() / least.p999Us());
    row.extra("xFloorUs", ratios);
    ratios.forEach((name, ratio) -> row.column("x" + name, finite((Double) ratio)));
    double ratio = own.p50Us() / least.p50Us();
    row.and(judge(!(ratio < 1 / LATENCY_NOISE), "p50", ratio));
  }

  private static Double finite(Double ratio) {
    return ratio.isNaN() ? null : ratio;
  }

  private Verdict judge(boolean possible, String what, double ratio) {
    return Verdict.ok()
        .unless(
            possible,
            Kind.SUSPECT,
            String.format(
                Locale.ROOT,
                "%s is %.2f of the floor %s, which cannot be",
                what,
                ratio,
                floor.label()));
  }
}
