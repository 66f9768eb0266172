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
 * @param cpuNs CPU time of the threads that do the measured work; 0 if it was not measured
 * @param verdict whether the round counts
 */
public record RoundResult(
    String loop, Tally tally, long elapsedNs, Pace pace, long cpuNs, Verdict verdict) {
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
    return new RoundResult(loop, tally, elapsedNs, null, 0, tally.verdict());
  }

  /**
   * The result of an open loop, judged by its tally and its rate. Operations that a limit refused
   * miss the rate: the system got more than it takes, and said so.
   */
  public static RoundResult openLoop(Tally tally, long elapsedNs, Pace pace) {
    double donePerSec = perSec(tally, elapsedNs);
    return new RoundResult(
        OPEN,
        tally,
        elapsedNs,
        pace,
        0,
        tally.verdict(Verdict.Kind.MISSED).and(pace.verdict(donePerSec)));
  }

  /** The same with a further condition, the order seen by the receiver for example. */
  public RoundResult and(Verdict further) {
    return new RoundResult(loop, tally, elapsedNs, pace, cpuNs, verdict.and(further));
  }

  /** The same with the CPU time of the threads that did the measured work. */
  public RoundResult withCpu(long newCpuNs) {
    return new RoundResult(loop, tally, elapsedNs, pace, newCpuNs, verdict);
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
        cpuNs + next.cpuNs,
        verdict.and(next.verdict));
  }

  /** The same as the result of a warm-up round: its verdict says so. */
  public RoundResult inWarmUp() {
    return new RoundResult(loop, tally, elapsedNs, pace, cpuNs, verdict.in("warm-up"));
  }

  /** Good operations per second; failed and corrupt ones are no throughput. */
  public double opsPerSec() {
    return perSec(tally, elapsedNs);
  }

  /** CPU time for a good operation, in microseconds; 0 if it was not measured. */
  public double cpuUs() {
    return cpuNs / 1e3 / Math.max(1, tally.good());
  }

  private static double perSec(Tally tally, long elapsedNs) {
    return tally.good() * 1e9 / Math.max(1, elapsedNs);
  }
}
