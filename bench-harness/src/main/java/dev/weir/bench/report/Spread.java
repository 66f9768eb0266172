package dev.weir.bench.report;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Minimum, median and maximum of a figure over the rounds of a row, or {@link #widened} ones.
 *
 * @param rounds the figure of each round in order; empty if only the three are known
 */
public record Spread(double min, double median, double max, List<Double> rounds) {
  /** Copies the list. */
  public Spread {
    rounds = List.copyOf(rounds);
  }

  /** Without the figures of single rounds. */
  public Spread(double min, double median, double max) {
    this(min, median, max, List.of());
  }

  /** Of one figure per round, at least one; the median of an even number is the mean of two. */
  public static Spread of(double... perRound) {
    double[] sorted = perRound.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(
        sorted[0], median, sorted[sorted.length - 1], Arrays.stream(perRound).boxed().toList());
  }

  /**
   * The ratio of each round to the round of the floor that was measured beside it: a machine that
   * changes its speed changes both. A round that the other has not is left out.
   */
  public Spread over(Spread floor) {
    return of(
        IntStream.range(0, Math.min(rounds.size(), floor.rounds.size()))
            .mapToDouble(i -> rounds.get(i) / floor.rounds.get(i))
            .toArray());
  }

  /** Each figure multiplied by the factor. */
  public Spread times(double factor) {
    return of(rounds.stream().mapToDouble(figure -> figure * factor).toArray());
  }

  /** With a minimum and a maximum at least as far out as these. */
  Spread widened(double least, double most) {
    return new Spread(Math.min(min, least), median, Math.max(max, most), rounds);
  }

  /** As it stands in the results. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("min", min);
    map.put("median", median);
    map.put("max", max);
    if (!rounds.isEmpty()) {
      map.put("rounds", rounds);
    }
    return map;
  }
}
