package dev.weir.bench.eventbus;

import dev.weir.bench.RunContext;
import dev.weir.bench.report.RowBuilder;

/**
 * What a user may set with {@code --set}.
 *
 * @param loops {@value #LOOPS}: 1, the default, when sender and service share one event loop, or 2
 *     when each has one of its own
 * @param scale {@value #SCALE}: all operation counts are multiplied by it; 1 by default. A run with
 *     another scale proves that everything works; its figures mean nothing
 */
record Settings(int loops, double scale) {
  static final String LOOPS = "loops";
  static final String SCALE = "scale";
  private static final double MAX_SCALE = 1000;

  Settings {
    if (loops != 1 && loops != 2) {
      throw new IllegalArgumentException(LOOPS + " is " + loops + ", allowed is 1 or 2");
    }
    if (!(scale > 0 && scale <= MAX_SCALE)) {
      throw new IllegalArgumentException(
          SCALE + " is " + scale + ", allowed is above 0 and up to " + MAX_SCALE);
    }
  }

  static Settings of(RunContext context) {
    return new Settings(
        context.option(LOOPS).map(Integer::parseInt).orElse(1),
        context.option(SCALE).map(Double::parseDouble).orElse(1.0));
  }

  /** The count, scaled; at least 1. */
  long scaled(long count) {
    return Math.max(1, Math.round(count * scale));
  }

  /** The operations of so many seconds at a rate, scaled; enough for half a second at least. */
  long paced(int ratePerSec, int seconds) {
    return Math.max(ratePerSec / 2, scaled((long) ratePerSec * seconds));
  }

  /** The count, but no more than there are operations, so that a row never states too many. */
  static int inFlight(int asked, long operations) {
    return (int) Math.min(asked, operations);
  }

  /** States how the row was measured, where and with which settings. */
  RowBuilder addTo(RowBuilder row) {
    row.extra("transport", "local event bus")
        .extra("processes", 1)
        .extra("eventLoops", loops)
        .extra(
            "topology",
            loops == 1
                ? "sender and service share one event loop"
                : "sender and service on an event loop each");
    return addScaleTo(row);
  }

  /** States that the figures mean nothing, if so. */
  RowBuilder addScaleTo(RowBuilder row) {
    return scale == 1 ? row : row.column(SCALE, scale);
  }
}
