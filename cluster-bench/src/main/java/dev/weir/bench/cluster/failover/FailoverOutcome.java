package dev.weir.bench.cluster.failover;

import dev.weir.bench.cluster.member.GroupEvents;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.RowBuilder;
import dev.weir.bench.verify.Verdict;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The result of all rounds of one fault.
 *
 * @param driven what the driver measured; null if the group did not start
 * @param problem what went wrong; null if nothing did
 */
record FailoverOutcome(
    FailoverPlan plan,
    List<FailoverRound> rounds,
    Driven driven,
    GroupEvents events,
    String problem) {

  /**
   * What the driver measured.
   *
   * @param all all latencies
   * @param before latencies in the undisturbed time before the faults
   * @param after latencies in the undisturbed time after the faults
   */
  record Driven(
      CarDriver.Counts counts,
      ReplyTimeline timeline,
      Recording all,
      Recording before,
      Recording after) {}

  /** Whether everything was handled once and in one epoch; no speed is a reason to fail. */
  Verdict verdict() {
    Verdict verdict = Verdict.ok().unless(problem == null, problem);
    if (driven == null) {
      return verdict;
    }
    for (int i = 0; i < rounds.size(); i++) {
      String wrong = rounds.get(i).logProblem();
      verdict = verdict.unless(wrong == null, "logs after round " + (i + 1) + ": " + wrong);
    }
    CarDriver.Counts counts = driven.counts();
    return verdict
        .unless(rounds.size() == plan.rounds(), "rounds " + rounds.size() + " of " + plan.rounds())
        .unless(counts.lost() == 0, "acknowledged and lost " + counts.lost())
        .unless(counts.repeated() == 0, "handled twice " + counts.repeated())
        .unless(counts.corrupt() == 0, "corrupt replies " + counts.corrupt())
        .unless(unanswered() == 0, "never answered " + unanswered())
        .unless(counts.failed() == 0, "refused " + counts.failed() + ": " + counts.firstFailure())
        .unless(acceptedByOld() == 0, "answered by an old primary " + acceptedByOld())
        .unless(events.stale() == 0, "primary again in an old epoch " + events.stale());
  }

  private long unanswered() {
    CarDriver.Counts counts = driven.counts();
    return counts.sent() - counts.answered() - counts.failed();
  }

  private long acceptedByOld() {
    return rounds.stream().mapToLong(FailoverRound::acceptedByOld).sum();
  }

  /** Adds the result to a row. */
  RowBuilder addTo(RowBuilder row) {
    row.caseName(plan.fault().toString())
        .path(plan.replication())
        .rounds(plan.rounds())
        .verdict(verdict())
        .extra("ratePerSec", plan.ratePerSec())
        .extra("faultMs", plan.fault().durationMs(plan.isLong()));
    if (driven != null) {
      addCounts(row);
    }
    if (!rounds.isEmpty()) {
      addOutages(row);
    }
    return row;
  }

  private void addCounts(RowBuilder row) {
    CarDriver.Counts counts = driven.counts();
    row.latency(driven.all())
        .latency("before", driven.before())
        .latency("after", driven.after())
        .extra("sent", counts.sent())
        .extra("answered", counts.answered())
        .column("lost", counts.lost() + unanswered())
        .column("duplicated", counts.repeated())
        .column("acceptedByOld", acceptedByOld())
        .extra("epochs", history());
  }

  private void addOutages(RowBuilder row) {
    double[] outages = sorted(round -> round.outage().ms());
    row.column("outageMedianMs", median(outages))
        .column("outageMaxMs", outages[outages.length - 1])
        .extra("outageMs", spread(outages))
        .extra("takeoverMs", spread(sorted(FailoverRound::takeoverMs)));
  }

  private double[] sorted(ToDoubleFunction<FailoverRound> figure) {
    return rounds.stream().mapToDouble(figure).sorted().toArray();
  }

  private static Map<String, Object> spread(double[] sorted) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("min", sorted[0]);
    map.put("median", median(sorted));
    map.put("max", sorted[sorted.length - 1]);
    return map;
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** All events, each with its time in seconds since the driver started. */
  private List<String> history() {
    return events.all().stream()
        .map(
            event ->
                String.format(
                    "%.3f %s", (event.timeNs() - driven.timeline().startNs()) / 1e9, event.text()))
        .toList();
  }

  /** The round with the longest outage. */
  Optional<FailoverRound> worst() {
    return rounds.stream().max(Comparator.comparingDouble(round -> round.outage().ms()));
  }

  /** One line for people. */
  String summary() {
    if (rounds.isEmpty()) {
      return plan.id() + ": " + verdict();
    }
    double[] outages = sorted(round -> round.outage().ms());
    return String.format(
        "%s: no replies for %.0f ms (median; %.0f to %.0f), new primary after %.0f ms (median)",
        plan.id(),
        median(outages),
        outages[0],
        outages[outages.length - 1],
        median(sorted(FailoverRound::takeoverMs)));
  }
}
