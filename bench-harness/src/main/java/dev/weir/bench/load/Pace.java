package dev.weir.bench.load;

import dev.weir.bench.verify.Verdict;
import java.util.Locale;

/**
 * How well an open loop kept its rate.
 *
 * @param targetPerSec the rate asked for
 * @param sentPerSec the rate at which operations were handed to the target
 * @param maxLagNs the most a send came after its intended time; it is part of the latency
 */
public record Pace(double targetPerSec, double sentPerSec, long maxLagNs) {
  /** The least share of the asked rate that has to be sent. */
  public static final double LEAST_SENT = 0.98;

  /** The least share of the asked rate that has to come back until the last reply. */
  public static final double LEAST_DONE = 0.90;

  /**
   * Whether the rate was kept.
   *
   * @param donePerSec operations per second from the start to the last reply
   */
  public Verdict verdict(double donePerSec) {
    if (sentPerSec < LEAST_SENT * targetPerSec) {
      return missed("sent", sentPerSec);
    }
    if (donePerSec < LEAST_DONE * targetPerSec) {
      return missed("done", donePerSec);
    }
    return Verdict.ok();
  }

  private Verdict missed(String what, double perSec) {
    return Verdict.of(
        Verdict.Kind.MISSED,
        String.format(
            Locale.ROOT, "target rate missed: %s %,.0f/s of %,.0f/s", what, perSec, targetPerSec));
  }
}
