package dev.weir.bench;

import dev.weir.bench.env.RunCost;
import dev.weir.bench.load.Pace;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Verdict;
import dev.weir.bench.verify.Verdict.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The results of the rounds of one case.
 *
 * @param rounds the measured rounds, at least one
 * @param operations what one pass sends; a round repeats passes until it has taken long enough
 * @param recording the latencies of all measured rounds, or null
 * @param cost time that the machine took meanwhile
 * @param jitter the scheduling noise meanwhile, or null
 * @param latencies the percentiles of each round; empty without a recording
 * @param turns the same object for all cases whose rounds took turns
 */
public record Measurement(
    List<RoundResult> rounds,
    long operations,
    Recording recording,
    RunCost cost,
    LatencySummary jitter,
    List<LatencySummary> latencies,
    Object turns) {

  private static final double NANOS_PER_MILLI = 1e6;

  /** Copies the lists. */
  public Measurement {
    rounds = List.copyOf(rounds);
    latencies = List.copyOf(latencies);
  }

  /** Throughput over the rounds. */
  public Spread opsPerSec() {
    return Spread.of(rounds.stream().mapToDouble(RoundResult::opsPerSec).toArray());
  }

  /** What all measured rounds sent. */
  public long sent() {
    return rounds.stream().mapToLong(round -> round.tally().sent()).sum();
  }

  private long elapsedNs() {
    return rounds.stream().mapToLong(RoundResult::elapsedNs).sum();
  }

  /**
   * All that was found in the rounds, but a missed rate only once, and latencies out of range. What
   * speaks against the figures beyond that is added when the row is reported.
   */
  public Verdict verdict() {
    Verdict verdict = Verdict.ok();
    for (RoundResult round : rounds) {
      Verdict found = round.verdict();
      verdict = verdict.and(verdict.only(Kind.MISSED).isOk() ? found : found.without(Kind.MISSED));
    }
    long outOfRange = recording == null ? 0 : recording.outOfRange();
    return verdict.unless(outOfRange == 0, "latencies out of range " + outOfRange);
  }

  /** Fills in rounds, operations of one round, figures, machine costs and the verdict. */
  public Row addTo(Row row) {
    row.rounds(rounds.size())
        .operations(operations)
        .opsPerSec(opsPerSec())
        .extra("loop", rounds.get(0).loop())
        .extra(Doubts.MEASURED_MS, elapsedNs() / NANOS_PER_MILLI)
        .verdict(verdict())
        .turns(turns, latencies);
    if (rounds.stream().allMatch(round -> round.cpuNs() > 0)) {
      row.cpuUs(Spread.of(rounds.stream().mapToDouble(RoundResult::cpuUs).toArray()));
    }
    if (recording != null) {
      row.latency(recording);
    }
    rounds.stream()
        .map(RoundResult::pace)
        .filter(Objects::nonNull)
        .max(Comparator.comparingLong(Pace::maxLagNs))
        .ifPresent(row::pace);
    row.extras(cost.toMap());
    if (jitter != null) {
      row.extra("jitterUs", jitter.reportable().toMap());
    }
    return row;
  }
}
