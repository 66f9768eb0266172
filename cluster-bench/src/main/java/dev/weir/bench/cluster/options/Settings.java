package dev.weir.bench.cluster.options;

import dev.weir.bench.RunContext;
import dev.weir.bench.report.RowBuilder;

/**
 * What a user may set with {@code --set}.
 *
 * @param scale {@value #SCALE}: all operation counts are multiplied by it; 1 by default. A run with
 *     another scale proves that everything works; its figures mean nothing
 */
public record Settings(double scale) {
  static final String SCALE = "scale";
  private static final double MAX_SCALE = 1000;

  public Settings {
    if (!(scale > 0 && scale <= MAX_SCALE)) {
      throw new IllegalArgumentException(
          SCALE + " is " + scale + ", allowed is above 0 and up to " + MAX_SCALE);
    }
  }

  public static Settings of(RunContext context) {
    return new Settings(context.option(SCALE).map(Double::parseDouble).orElse(1.0));
  }

  /** The count, scaled; at least 1. */
  public long scaled(long count) {
    return Math.max(1, Math.round(count * scale));
  }

  /** States the scale where it is not 1. */
  public RowBuilder addTo(RowBuilder row) {
    return scale == 1 ? row : row.column(SCALE, scale);
  }
}
