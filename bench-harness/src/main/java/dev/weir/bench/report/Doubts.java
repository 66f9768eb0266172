package dev.weir.bench.report;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.verify.Verdict;
import dev.weir.bench.verify.Verdict.Kind;
import java.util.Locale;
import java.util.Map;

/**
 * What speaks against the figures of a row although nothing failed. Every reported row passes here,
 * so that no scenario can forget it.
 */
public final class Doubts {
  /** Throughput of the best round over that of the worst; above it a row is UNSTABLE. */
  public static final double MOST_SPREAD = 1.3;

  /** Share of the measured time, in percent, in which the collector stopped the JVM. */
  public static final double MOST_GC_PERCENT = 20;

  /** Share of the CPU time, in percent, that the hypervisor gave to others. */
  public static final double MOST_STEAL_PERCENT = 5;

  /** How late an idle thread wakes, at p99, in microseconds. */
  public static final double MOST_NOISE_US = 20_000;

  /** p99 over p50 of a response time. */
  public static final double MOST_TAIL = 100;

  /** Share of the time, in percent, in which an outside client does not wait for answers. */
  public static final double MOST_CLIENT_PERCENT = 80;

  /** Share of the time, in percent, in which a saturated server's threads have a CPU. */
  public static final double LEAST_SERVER_PERCENT = 80;

  private static final double MICROS_PER_PERCENT = 1e4;

  /** Extra: the time that all measured rounds took. */
  public static final String MEASURED_MS = "measuredMs";

  /** Extra: the share of the time in which an outside client did not wait for answers. */
  public static final String CLIENT_PERCENT = "client busy%";

  /**
   * The name of a {@code Row.latency} of its own that a row has if its rounds include a fault or a
   * change of the members: the response times before that.
   */
  public static final String BEFORE = "before";

  private Doubts() {}

  /** The doubts about a row that has all its figures. */
  static Verdict about(Row row) {
    return spread(row).and(machine(row)).and(tail(row)).and(client(row));
  }

  private static Verdict spread(Row row) {
    Spread perSec = row.opsPerSec();
    if (perSec == null || isPaced(row)) {
      return Verdict.ok();
    }
    double spread = perSec.max() / Math.max(Double.MIN_NORMAL, perSec.min());
    return Verdict.ok()
        .unless(
            spread <= MOST_SPREAD,
            Kind.UNSTABLE,
            format("the best round is %.2f times the worst", spread));
  }

  /** About the throughput of a row that several JVMs have measured, each of them sound. */
  static Verdict acrossForks(Row row) {
    Verdict known = row.verdict().only(Kind.UNSTABLE);
    return known.isOk() ? spread(row).in("over all JVMs") : Verdict.ok();
  }

  private static Verdict machine(Row row) {
    double measuredMs = number(row.extra().get(MEASURED_MS));
    double gc = 100 * number(row.extra().get("gcPauseMs")) / measuredMs;
    double steal = number(row.extra().get("stealPercent"));
    double noiseUs =
        row.extra().get("jitterUs") instanceof Map<?, ?> jitter
            ? number(jitter.get("p99"))
            : Double.NaN;
    // A figure that is not known is NaN, and no comparison with NaN holds.
    return Verdict.ok()
        .unless(!(gc > MOST_GC_PERCENT), Kind.SUSPECT, format("%.0f %% garbage collection", gc))
        .unless(!(steal > MOST_STEAL_PERCENT), Kind.SUSPECT, format("%.0f %% stolen time", steal))
        .unless(
            !(noiseUs > MOST_NOISE_US),
            Kind.SUSPECT,
            format("an idle thread woke %.1f ms late at p99", noiseUs / 1000));
  }

  /**
   * A row with a fault or a change of the members is judged by the time before that: a long tail
   * while the fault lasts is what the row measures.
   */
  private static Verdict tail(Row row) {
    if (!isPaced(row)) {
      return Verdict.ok();
    }
    if (row.extra().get(BEFORE + "Us") instanceof Map<?, ?> before) {
      return tail(number(before.get("p50")), number(before.get("p99"))).in(BEFORE);
    }
    LatencySummary latency = row.latency();
    return latency == null ? Verdict.ok() : tail(latency.p50Us(), latency.p99Us());
  }

  private static Verdict tail(double p50Us, double p99Us) {
    double tail = p99Us / p50Us;
    return Verdict.ok()
        .unless(!(tail > MOST_TAIL), Kind.SUSPECT, format("p99 is %,.0f times p50", tail));
  }

  private static Verdict client(Row row) {
    double percent = number(row.extra().get(CLIENT_PERCENT));
    Verdict verdict =
        Verdict.ok()
            .unless(
                !(percent > MOST_CLIENT_PERCENT),
                Kind.SUSPECT,
                format("the client is the bottleneck: busy for %.0f %% of the time", percent));
    return verdict.and(server(row, percent));
  }

  /** A closed loop in which neither side is busy measures something else. */
  private static Verdict server(Row row, double clientPercent) {
    if (row.cpuUs() == null || row.opsPerSec() == null || isPaced(row)) {
      return Verdict.ok();
    }
    double percent = row.cpuUs().median() * row.opsPerSec().median() / MICROS_PER_PERCENT;
    return Verdict.ok()
        .unless(
            !(clientPercent <= MOST_CLIENT_PERCENT && percent < LEAST_SERVER_PERCENT),
            Kind.SUSPECT,
            format(
                "neither side is the bottleneck: the server was busy for %.0f %% of the time",
                percent));
  }

  /** Whether the row was measured at a set rate, whatever the system did. */
  static boolean isPaced(Row row) {
    return RoundResult.OPEN.equals(row.extra().get("loop"));
  }

  private static double number(Object value) {
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  private static String format(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
