package dev.weir.bench.program;

import dev.weir.bench.record.LatencySummary;
import java.util.Locale;

/** Figures as the programs print them. */
public final class ProgramText {
  private static final double NANOS_PER_SECOND = 1e9;

  private ProgramText() {}

  /** A whole number with its thousands separated. */
  public static String number(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  /** How many a second, with what that was computed from. */
  public static String perSec(long count, long elapsedNs) {
    double seconds = Math.max(1, elapsedNs) / NANOS_PER_SECOND;
    return String.format(Locale.ROOT, "%,.0f/s (%,d in %.3f s)", count / seconds, count, seconds);
  }

  /** Percentiles in microseconds. */
  public static String text(LatencySummary us) {
    return String.format(
        Locale.ROOT,
        "us: p50 %.1f, p90 %.1f, p99 %.1f, p99.9 %.1f, max %.1f",
        us.p50Us(),
        us.p90Us(),
        us.p99Us(),
        us.p999Us(),
        us.maxUs());
  }
}
