package dev.weir.bench.report;

import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Two results of the same modules, row by row. A throughput has changed if the exact Mann-Whitney
 * test over the rounds finds it less likely than {@link #MOST_P} that both have the same; of result
 * files without single rounds, if the ranges of the rounds are apart. Response times at a set rate
 * have no rounds: their ratio is shown, and no change is claimed. A ratio to a floor that was taken
 * round by round is compared with the range that it had before. Nothing is compared with a row that
 * failed before.
 */
public final class Comparison {
  /** With three rounds on each side: no round of one is as good as any of the other. */
  public static final double MOST_P = 0.1;

  private static final double ROUNDING = 1e-9;
  private static final String FAIL = Verdict.Kind.FAIL.name();
  private static final String PER_SEC = "opsPerSec.median";

  /** What the comparison of a row says. */
  enum Change {
    FASTER("faster"),
    SLOWER("slower"),
    NONE("no difference"),
    UNTESTED("not tested"),
    FAILED("fails now");

    private final String text;

    Change(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * A row that both results have.
   *
   * @param ratio of throughputs, after over before; of response times at p99, before over after:
   *     above 1 is better
   */
  record Pair(String label, PublishedRow before, PublishedRow after, double ratio, Change change) {
    private Object figure(PublishedRow row) {
      return row.get(change == Change.UNTESTED ? "latencyUs.p99" : PER_SEC);
    }
  }

  private final List<Pair> pairs = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final List<String> outside = new ArrayList<>();
  private int ratios;

  private Comparison() {}

  /**
   * Compares two result files, or two directories of them.
   *
   * @throws IOException if a file cannot be read: the message says which
   */
  public static Comparison of(Path before, Path after) throws IOException {
    return of(PublishedRun.readAll(before), PublishedRun.readAll(after));
  }

  static Comparison of(List<PublishedRun> before, List<PublishedRun> after) {
    Comparison comparison = new Comparison();
    for (PublishedRun now : after) {
      before.stream()
          .filter(then -> then.suite().equals(now.suite()))
          .forEach(then -> comparison.add(then, now));
    }
    return comparison;
  }

  private void add(PublishedRun then, PublishedRun now) {
    for (String path : List.of("environment.cpuModel", "environment.jdk", "profile")) {
      if (!then.text(path).equals(now.text(path))) {
        notes.add(
            String.format(
                "%s: %s was %s and is %s; a change may come from that",
                now.suite(), path, then.text(path), now.text(path)));
      }
    }
    Map<String, PublishedRow> known = new LinkedHashMap<>();
    then.rows().forEach(row -> known.putIfAbsent(row.label(), row));
    int added = 0;
    for (PublishedRow row : now.rows()) {
      PublishedRow old = known.remove(row.label());
      if (old == null) {
        added++;
      } else {
        pair(old, row);
        ratios(old, row);
      }
    }
    if (added + known.size() > 0) {
      notes.add(
          String.format(
              "%s: %d rows only before, %d only after", now.suite(), known.size(), added));
    }
  }

  private void pair(PublishedRow old, PublishedRow now) {
    boolean paced = !Double.isNaN(now.number("extra.targetPerSec"));
    double ratio =
        paced
            ? old.number("latencyUs.p99") / now.number("latencyUs.p99")
            : now.number(PER_SEC) / old.number(PER_SEC);
    if (now.verdict().equals(FAIL)) {
      pairs.add(new Pair(now.label(), old, now, ratio, Change.FAILED));
    } else if (old.verdict().equals(FAIL)) {
      notes.add(now.label() + " failed before and does not now");
    } else if (!Double.isNaN(ratio)) {
      Change change = paced ? Change.UNTESTED : change(old, now, ratio);
      pairs.add(new Pair(now.label(), old, now, ratio, change));
    }
  }

  private void ratios(PublishedRow old, PublishedRow now) {
    if (now.get("extra." + Row.RATIOS) instanceof Map<?, ?> taken) {
      for (Object name : taken.keySet()) {
        String path = "extra." + Row.RATIOS + "." + name;
        double ratio = now.number(path + ".median");
        double min = old.number(path + ".min");
        double max = old.number(path + ".max");
        if (!Double.isNaN(min) && !Double.isNaN(ratio)) {
          ratios++;
          if (ratio < min || ratio > max) {
            String was = String.format(Locale.ROOT, "%.2f, was %.2f to %.2f", ratio, min, max);
            outside.add(now.label() + " " + name + " " + was);
          }
        }
      }
    }
  }

  /** How many ratios to floors are within the range that they had before, and which are not. */
  private String ratioSummary() {
    String within =
        String.format(
            Locale.ROOT,
            "%d of %d ratios are within the range that they had before",
            ratios - outside.size(),
            ratios);
    return outside.isEmpty() ? within : within + "; outside: " + String.join("; ", outside);
  }

  private static Change change(PublishedRow old, PublishedRow now, double ratio) {
    List<Double> before = old.rounds();
    List<Double> after = now.rounds();
    boolean apart =
        before.isEmpty() || after.isEmpty()
            ? now.number("opsPerSec.min") > old.number("opsPerSec.max")
                || now.number("opsPerSec.max") < old.number("opsPerSec.min")
            : MannWhitney.pValue(before, after) <= MOST_P + ROUNDING;
    if (!apart || ratio == 1) {
      return Change.NONE;
    }
    return ratio > 1 ? Change.FASTER : Change.SLOWER;
  }

  List<Pair> pairs() {
    return List.copyOf(pairs);
  }

  /** How many rows have changed in this way. */
  long count(Change change) {
    return pairs.stream().filter(pair -> pair.change == change).count();
  }

  /** Whether a row fails now, or is slower by the test and below this share of its throughput. */
  public boolean isBelow(double ratio) {
    return pairs.stream()
        .anyMatch(
            pair ->
                pair.change == Change.FAILED || pair.change == Change.SLOWER && pair.ratio < ratio);
  }

  /** One sentence: how many rows have changed, and the largest change in either direction. */
  String summary() {
    Optional<Pair> fastest =
        pairs.stream()
            .filter(pair -> pair.change == Change.FASTER)
            .max(Comparator.comparingDouble(Pair::ratio));
    return brief() + fastest.map(pair -> "; fastest: " + of(pair)).orElse("");
  }

  /** The same without what has become faster. */
  String brief() {
    StringBuilder text = new StringBuilder();
    for (Change change : Change.values()) {
      text.append(text.isEmpty() ? "" : ", ").append(count(change)).append(' ').append(change);
    }
    pairs.stream()
        .filter(pair -> pair.change == Change.SLOWER)
        .min(Comparator.comparingDouble(Pair::ratio))
        .ifPresent(pair -> text.append("; slowest: ").append(of(pair)));
    return text.toString();
  }

  private static String of(Pair pair) {
    return String.format(Locale.ROOT, "%s %.2f", pair.label, pair.ratio);
  }

  /** All rows, the worst ratio first, then notes and the summary. */
  public List<String> lines() {
    List<Pair> ranked = pairs.stream().sorted(Comparator.comparingDouble(Pair::ratio)).toList();
    List<String> lines =
        new ArrayList<>(
            new TextTable<>(ranked)
                .column("row", Pair::label)
                .column("before", pair -> pair.figure(pair.before))
                .column("after", pair -> pair.figure(pair.after))
                .column("ratio", Pair::ratio)
                .column("change", Pair::change)
                .lines());
    lines.addAll(notes);
    if (ratios > 0) {
      lines.add(ratioSummary());
    }
    lines.add(summary());
    return lines;
  }
}
