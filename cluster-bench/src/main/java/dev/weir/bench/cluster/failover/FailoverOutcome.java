package dev.weir.bench.cluster.failover;

import dev.weir.bench.cluster.member.GroupEvents;
import dev.weir.bench.cluster.steady.ReplyTimeline;
import dev.weir.bench.cluster.steady.TimelineText;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The result of all rounds of one fault on one group.
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

  /**
   * Adds the results of groups with the same plan to a row; the timeline is that of the longest
   * outage.
   *
   * @param groups at least one
   */
  static Row addTo(Row row, List<FailoverOutcome> groups) {
    FailoverPlan plan = groups.get(0).plan;
    row.caseName(plan.fault().toString())
        .path(plan.replication())
        .rounds((long) plan.rounds() * groups.size())
        .verdict(
            groups.stream()
                .map(FailoverOutcome::verdict)
                .reduce(Verdict.ok(), (before, next) -> before.and(next)))
        .extra("childFlags", plan.childFlags())
        .extra("memberArguments", plan.memberArguments())
        .extra("ratePerSec", plan.ratePerSec())
        .extra("faultMs", plan.fault().durationMs(plan.isLong()))
        .extra("groups", groups.size());
    List<FailoverOutcome> driven = groups.stream().filter(group -> group.driven != null).toList();
    if (!driven.isEmpty()) {
      addCounts(row, driven);
    }
    if (groups.stream().anyMatch(group -> !group.rounds.isEmpty())) {
      addOutages(row, plan, groups);
    }
    return row;
  }

  private static void addCounts(Row row, List<FailoverOutcome> groups) {
    FailoverPlan plan = groups.get(0).plan;
    long sent = sum(groups, group -> group.driven.counts.sent());
    row.latency(all(groups, Driven::all))
        .extra("loop", RoundResult.OPEN)
        .latency(Doubts.BEFORE, all(groups, Driven::before))
        .latency("after", all(groups, Driven::after))
        .extra(Doubts.MEASURED_MS, 1000.0 * sent / plan.ratePerSec())
        .extra("sent", sent)
        .extra("answered", sum(groups, group -> group.driven.counts.answered()))
        .column(
            "lost",
            sum(groups, group -> group.driven.counts.lost() + group.driven.counts.unanswered()))
        .column("duplicated", sum(groups, group -> group.driven.counts.repeated()))
        .column("acceptedByOld", sum(groups, FailoverOutcome::acceptedByOld));
    worstOf(groups).timeline().addTo(row);
  }

  private static long sum(List<FailoverOutcome> groups, ToLongFunction<FailoverOutcome> figure) {
    return groups.stream().mapToLong(figure).sum();
  }

  private static Recording all(List<FailoverOutcome> groups, Function<Driven, Recording> of) {
    Recording all = Recording.singleWriter();
    groups.forEach(group -> all.add(of.apply(group.driven)));
    return all;
  }

  private static void addOutages(Row row, FailoverPlan plan, List<FailoverOutcome> groups) {
    Spread outageMs = spread(groups, round -> round.outage().ms());
    row.column("outageMedianMs", outageMs.median())
        .column("outageMaxMs", outageMs.max())
        .extra("outageMs", outageMs.toMap());
    if (plan.fault().until() != Fault.Until.NOTHING) {
      row.extra("takeoverMs", spread(groups, FailoverRound::takeoverMs).toMap());
    }
  }

  private static Spread spread(
      List<FailoverOutcome> groups, ToDoubleFunction<FailoverRound> figure) {
    return Spread.of(
        groups.stream().flatMap(group -> group.rounds.stream()).mapToDouble(figure).toArray());
  }

  /** The group with the longest outage. */
  static FailoverOutcome worstOf(List<FailoverOutcome> groups) {
    return groups.stream()
        .filter(group -> group.driven != null)
        .max(
            Comparator.comparingDouble(
                group -> group.worst().map(round -> round.outage().ms()).orElse(0.0)))
        .orElse(groups.get(0));
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
  static String summary(List<FailoverOutcome> groups) {
    FailoverPlan plan = groups.get(0).plan;
    if (groups.stream().allMatch(group -> group.rounds.isEmpty())) {
      return plan.id() + ": " + groups.get(0).verdict();
    }
    Spread outageMs = spread(groups, round -> round.outage().ms());
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
        spread(groups, FailoverRound::takeoverMs).median());
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
