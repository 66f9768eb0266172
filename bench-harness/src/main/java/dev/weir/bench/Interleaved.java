package dev.weir.bench;

import dev.weir.bench.env.RunCost;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.report.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Runs several cases side by side: the warm-up of each, then round 1 of each, round 2 of each, and
 * so on. A machine that becomes slower or faster meanwhile does so for all of them. A case that
 * fails a round takes no further part.
 */
public final class Interleaved {
  private final int warmUps;
  private final int rounds;
  private final Progress progress;
  private final List<Case> cases = new ArrayList<>();

  /** So many warm-up rounds and measured rounds for each case, at least 1 of either. */
  public Interleaved(int warmUps, int rounds, Progress progress) {
    if (warmUps < 1 || rounds < 1) {
      throw new IllegalArgumentException(
          "warmUps and rounds must be at least 1: " + warmUps + ", " + rounds);
    }
    this.warmUps = warmUps;
    this.rounds = rounds;
    this.progress = progress;
  }

  /**
   * Adds a case.
   *
   * @param warm is called when the warm-up of all cases is over
   */
  public Interleaved add(Rounds.Round round, Runnable warm) {
    cases.add(new Case(round, warm));
    return this;
  }

  /** Runs all cases, blocking the caller; the measurements are in the order of the cases. */
  public List<Measurement> measure(String label) throws Exception {
    progress.begin(label, 1 + rounds);
    try {
      for (int i = 0; i < warmUps; i++) {
        for (Case one : cases) {
          one.warmUp();
        }
      }
      progress.step("warm-up");
      System.gc();
      cases.forEach(one -> one.warm.run());
      RunCost.Meter whole = RunCost.start();
      for (int i = 1; i <= rounds; i++) {
        for (Case one : cases) {
          one.measure();
        }
        progress.step("round " + i);
      }
      OptionalDouble steal = whole.stop().stealPercent();
      return cases.stream().map(one -> one.measurement(steal)).toList();
    } finally {
      progress.end();
    }
  }

  private static final class Case {
    private final Rounds.Round round;
    private final Runnable warm;
    private final List<RoundResult> results = new ArrayList<>();
    private boolean failed;
    private long gcPauseMs;
    private long gcCount;

    Case(Rounds.Round round, Runnable warm) {
      this.round = round;
      this.warm = warm;
    }

    void warmUp() throws Exception {
      if (!failed) {
        RoundResult result = round.run();
        if (!result.verdict().isOk()) {
          failed = true;
          results.add(result.inWarmUp());
        }
      }
    }

    void measure() throws Exception {
      if (!failed) {
        RunCost.Meter meter = RunCost.start();
        RoundResult result = round.run();
        RunCost cost = meter.stop();
        gcPauseMs += cost.gcPauseMs();
        gcCount += cost.gcCount();
        results.add(result);
        failed = !result.verdict().isOk();
      }
    }

    /**
     * The steal time is that of all cases together: one round is too short for the kernel's ticks.
     */
    Measurement measurement(OptionalDouble steal) {
      return new Measurement(results, null, new RunCost(gcPauseMs, gcCount, steal), null);
    }
  }
}
