package dev.weir.bench.cluster.failover;

import dev.weir.bench.cluster.member.GroupEvents;
import dev.weir.bench.cluster.member.MemberProcess;
import dev.weir.bench.cluster.steady.ReplyTimeline;
import dev.weir.bench.cluster.steady.TimelineText;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Verdict;
import java.util.Comparator;
import java.util.List;
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
    return verdict
        .unless(rounds.size() == plan.rounds(), "rounds " + rounds.size() + " of " + plan.rounds())
        .and(driven.counts().verdict())
        .unless(acceptedByOld() == 0, "answered by an old primary " + acceptedByOld())
        .unless(events.stale() == 0, "primary again in an old epoch " + events.stale());
  }

  private long acceptedByOld() {
    return rounds.stream().mapToLong(FailoverRound::acceptedByOld).sum();
  }

  /** Adds the result to a row. */
  Row addTo(Row row) {
    row.caseName(plan.fault().toString())
        .path(plan.replication())
        .rounds(plan.rounds())
        .verdict(verdict())
        .extra("childFlags", MemberProcess.flags())
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

  private void addCounts(Row row) {
    CarDriver.Counts counts = driven.counts();
    row.latency(driven.all())
        .latency("before", driven.before())
        .latency("after", driven.after())
        .extra(Doubts.MEASURED_MS, 1000.0 * counts.sent() / plan.ratePerSec())
        .extra("sent", counts.sent())
        .extra("answered", counts.answered())
        .column("lost", counts.lost() + counts.unanswered())
        .column("duplicated", counts.repeated())
        .column("acceptedByOld", acceptedByOld());
    timeline().addTo(row);
  }

  private void addOutages(Row row) {
    Spread outageMs = spread(round -> round.outage().ms());
    row.column("outageMedianMs", outageMs.median())
        .column("outageMaxMs", outageMs.max())
        .extra("outageMs", outageMs.toMap());
    if (plan.fault().until() != Fault.Until.NOTHING) {
      row.extra("takeoverMs", spread(FailoverRound::takeoverMs).toMap());
    }
  }

  private Spread spread(ToDoubleFunction<FailoverRound> figure) {
    return Spread.of(rounds.stream().mapToDouble(figure).toArray());
  }

  /** What the driver saw over time. */
  TimelineText timeline() {
    return new TimelineText(driven.timeline(), events.all());
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
    Spread outageMs = spread(round -> round.outage().ms());
    String goesOn =
        switch (plan.fault().until()) {
          case NEW_PRIMARY -> ", new primary after %.0f ms (median)";
          case ALONE -> ", primary alone after %.0f ms (median)";
          case NOTHING -> "";
        };
    return String.format(
        "%s: no replies for %.0f ms (median; %.0f to %.0f)" + goesOn,
        plan.id(),
        outageMs.median(),
        outageMs.min(),
        outageMs.max(),
        spread(FailoverRound::takeoverMs).median());
  }

  /**
   * The result of one round of a fault.
   *
   * @param strikeNs when the fault began
   * @param endNs when all members were in sync again and the driver had caught up
   * @param outage the longest time without replies between the two
   * @param takeoverMs from the fault until a primary went on without the victim; 0 if none could
   * @param acceptedByOld requests that the old primary answered while another was primary
   * @param logProblem what a comparison of the logs after the round found; null if nothing
   */
  record FailoverRound(
      long strikeNs,
      long endNs,
      ReplyTimeline.Gap outage,
      double takeoverMs,
      long acceptedByOld,
      String logProblem) {}
}
