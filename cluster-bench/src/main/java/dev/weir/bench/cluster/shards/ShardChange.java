package dev.weir.bench.cluster.shards;

import dev.weir.bench.cluster.steady.ReplyTimeline;
import dev.weir.bench.cluster.steady.SteadyDriver;
import dev.weir.bench.cluster.steady.TimelineText;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What one kind of change cost the clients, over all rounds. For one thread. */
final class ShardChange {
  private final String name;
  private final Recording before = Recording.singleWriter();
  private final Recording during = Recording.singleWriter();
  private final Recording after = Recording.singleWriter();
  private final List<Round> rounds = new ArrayList<>();

  /**
   * One time that the change was made.
   *
   * @param fromNs when the undisturbed time before it began
   * @param changeNs when it began
   * @param movesNs when the shards could begin to move
   * @param placedNs when all shards were placed
   * @param endNs the end of the undisturbed time after it
   * @param outage the longest time without any reply
   * @param keyOutageMs the longest time for which a key with a message that was due got no reply
   * @param moved replicas that a member got
   */
  record Round(
      long fromNs,
      long changeNs,
      long movesNs,
      long placedNs,
      long endNs,
      ReplyTimeline.Gap outage,
      double keyOutageMs,
      int moved) {
    double tookMs() {
      return (placedNs - movesNs) / 1e6;
    }
  }

  /**
   * @param name as in results
   */
  ShardChange(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  Recording before() {
    return before;
  }

  Recording during() {
    return during;
  }

  Recording after() {
    return after;
  }

  void add(Round round) {
    rounds.add(round);
  }

  int rounds() {
    return rounds.size();
  }

  private Spread spread(ToDoubleFunction<Round> figure) {
    return Spread.of(rounds.stream().mapToDouble(figure).toArray());
  }

  private Round worst() {
    return rounds.stream().max(Comparator.comparingDouble(Round::keyOutageMs)).orElseThrow();
  }

  /** Adds the figures to a row; the timeline is that of the worst round. */
  void addTo(Row row, SteadyDriver.Counts counts, TimelineText text) {
    row.caseName(name)
        .rounds(rounds.size())
        .column("lost", counts.lost() + counts.unanswered())
        .column("duplicated", counts.repeated());
    if (rounds.isEmpty()) {
      return;
    }
    row.latency(during)
        .extra("loop", RoundResult.OPEN)
        .latency(Doubts.BEFORE, before)
        .latency("after", after)
        .column("outageMaxMs", spread(round -> round.outage().ms()).max())
        .column("keyOutageMaxMs", spread(Round::keyOutageMs).max())
        .column("moved", spread(Round::moved).median())
        .column("tookMs", spread(Round::tookMs).median())
        .extra("outageMs", spread(round -> round.outage().ms()).toMap())
        .extra("keyOutageMs", spread(Round::keyOutageMs).toMap())
        .extra("movesMs", spread(Round::tookMs).toMap());
    percentiles().forEach(row::column);
    text.addTo(row, worst().fromNs(), worst().endNs());
  }

  /** Those of the undisturbed times for which there are enough replies. */
  private Map<String, Double> percentiles() {
    Map<String, Double> percentiles = new LinkedHashMap<>();
    Map<String, Recording> calm = new LinkedHashMap<>();
    calm.put(Doubts.BEFORE, before);
    calm.put("after", after);
    calm.forEach(
        (when, recording) -> {
          LatencySummary summary = recording.summary().reportable();
          if (Double.isFinite(summary.p99Us())) {
            percentiles.put("p50 " + when, summary.p50Us());
            percentiles.put("p99 " + when, summary.p99Us());
          }
        });
    return percentiles;
  }

  /** For people: one line, then the chart of the worst round. */
  List<String> describe(TimelineText text, int ratePerSec) {
    List<String> lines = new ArrayList<>();
    if (rounds.isEmpty()) {
      return lines;
    }
    Round worst = worst();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %.0f replicas moved in %.0f ms (median); no reply at all for at most %.0f ms, none"
                + " for a key for at most %.0f ms",
            name,
            spread(Round::moved).median(),
            spread(Round::tookMs).median(),
            spread(round -> round.outage().ms()).max(),
            worst.keyOutageMs()));
    lines.addAll(text.chart(worst.changeNs(), worst.outage(), worst.endNs(), ratePerSec));
    return lines;
  }
}
