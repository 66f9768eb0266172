package dev.weir.bench.load;

import dev.weir.bench.verify.Tally;
import dev.weir.bench.verify.Verdict;

/**
 * The result of one round.
 *
 * @param loop how the load was made: {@value #CLOSED}, {@value #OPEN} or the caller's own word
 * @param tally what was sent and came back
 * @param elapsedNs from the first send to the last reply
 * @param pace the rate of an open loop, or null
 * @param verdict whether the round counts
 */
public record RoundResult(String loop, Tally tally, long elapsedNs, Pace pace, Verdict verdict) {
  /** Each reply issues the next operation: capacity. */
  public static final String CLOSED = "closed";

  /** Sent at a fixed rate: response times. */
  public static final String OPEN = "open";

  /** The result of a closed loop, judged by its tally. */
  public static RoundResult closedLoop(Tally tally, long elapsedNs) {
    return of(CLOSED, tally, elapsedNs);
  }

  /** The result of a caller's own driver, judged by its tally. */
  public static RoundResult of(String loop, Tally tally, long elapsedNs) {
    return new RoundResult(loop, tally, elapsedNs, null, tally.verdict());
  }

  /** The result of an open loop, judged by its tally and its rate. */
  public static RoundResult openLoop(Tally tally, long elapsedNs, Pace pace) {
    double donePerSec = perSec(tally, elapsedNs);
    return new RoundResult(
        OPEN, tally, elapsedNs, pace, tally.verdict().and(pace.verdict(donePerSec)));
  }

  /** The same with a further condition, the order seen by the receiver for example. */
  public RoundResult and(Verdict further) {
    return new RoundResult(loop, tally, elapsedNs, pace, verdict.and(further));
  }

  /** This one and a further one after it, as one round. */
  public RoundResult then(RoundResult next) {
    return new RoundResult(
        loop,
        tally.plus(next.tally),
        elapsedNs + next.elapsedNs,
        next.pace == null || pace != null && pace.maxLagNs() > next.pace.maxLagNs()
            ? pace
            : next.pace,
        verdict.and(next.verdict));
  }

  /** The same as the result of a warm-up round: its verdict says so. */
  public RoundResult inWarmUp() {
    return new RoundResult(loop, tally, elapsedNs, pace, verdict.in("warm-up"));
  }

  /** Good operations per second; failed and corrupt ones are no throughput. */
  public double opsPerSec() {
    return perSec(tally, elapsedNs);
  }

  private static double perSec(Tally tally, long elapsedNs) {
    return tally.good() * 1e9 / Math.max(1, elapsedNs);
  }
}
