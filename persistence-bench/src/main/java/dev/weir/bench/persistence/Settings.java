package dev.weir.bench.persistence;

import dev.weir.bench.RunContext;
import dev.weir.bench.report.RowBuilder;
import dev.weir.queue.Durability;
import java.util.List;

/**
 * What a user may set with {@code --set}.
 *
 * @param scale {@value #SCALE}: all operation counts are multiplied by it; 1 by default. A run with
 *     another scale proves that everything works; its figures mean nothing
 * @param durabilities {@value #DURABILITY}: PROCESS or MACHINE where only one of them is to be
 *     measured; both by default
 */
record Settings(double scale, List<Durability> durabilities) {
  static final String SCALE = "scale";
  static final String DURABILITY = "durability";
  private static final List<Durability> BOTH = List.of(Durability.PROCESS, Durability.MACHINE);
  private static final double MAX_SCALE = 1000;

  Settings {
    if (!(scale > 0 && scale <= MAX_SCALE)) {
      throw new IllegalArgumentException(
          SCALE + " is " + scale + ", allowed is above 0 and up to " + MAX_SCALE);
    }
  }

  static Settings of(RunContext context) {
    return new Settings(
        context.option(SCALE).map(Double::parseDouble).orElse(1.0),
        context.option(DURABILITY).map(Settings::only).orElse(BOTH));
  }

  private static List<Durability> only(String name) {
    return BOTH.stream()
        .filter(durability -> durability.name().equals(name))
        .findFirst()
        .map(List::of)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    DURABILITY + " is " + name + ", allowed is one of " + BOTH));
  }

  /** The count, scaled; at least 1. */
  long scaled(long count) {
    return Math.max(1, Math.round(count * scale));
  }

  /** States the scale where it is not 1. */
  RowBuilder addTo(RowBuilder row) {
    return scale == 1 ? row : row.column(SCALE, scale);
  }
}
