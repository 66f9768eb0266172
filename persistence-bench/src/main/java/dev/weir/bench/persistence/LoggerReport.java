package dev.weir.bench.persistence;

import dev.weir.bench.record.LatencySummary;
import java.util.Locale;

/** Figures as the programs print them. */
final class LoggerReport {
  private static final double NANOS_PER_SECOND = 1e9;

  private LoggerReport() {}

  static String number(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  static String perSec(long count, long elapsedNs) {
    double seconds = Math.max(1, elapsedNs) / NANOS_PER_SECOND;
    return String.format(Locale.ROOT, "%,.0f/s (%,d in %.3f s)", count / seconds, count, seconds);
  }

  static String text(LatencySummary us) {
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
