package dev.weir.bench;

import dev.weir.bench.env.Jitter;
import dev.weir.bench.env.RunCost;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Progress;
import dev.weir.bench.report.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * Runs one or more cases side by side: the warm-up of each, which is a round of at most a second
 * thrown away, a garbage collection, round 1 of each, round 2 of each, and so on. A machine that
 * changes its speed changes that of all cases, so that ratios between their rows are taken round by
 * round ({@link Row#over}): what is compared belongs into the same rounds. A case whose warm-up or
 * round fails runs no further rounds.
 */
public final class Rounds {
  /** A warm-up need not last longer: what needs more has a {@link Preheat}. */
  private static final long MOST_WARM_UP_NS = TimeUnit.SECONDS.toNanos(1);

  private final int rounds;
  private final Progress progress;
  private final List<Case> cases = new ArrayList<>();
  private int warmUps = 1;
  private long leastNs;
  private long restNs;
  private Recording recording;

  /** So many measured rounds for each case, at least 1. */
  public Rounds(int rounds, Progress progress) {
    this.rounds = atLeastOne("rounds", rounds);
    this.progress = progress;
  }

  private static int atLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1: " + value);
    }
    return value;
  }

  /** Warms each case up in so many rounds, at least 1; 1 by default. */
  public Rounds warmUps(int count) {
    warmUps = atLeastOne("warmUps", count);
    return this;
  }

  /** Repeats the work of a round until it has taken so long; by default it is done once. */
  public Rounds lasting(Duration least) {
    leastNs = least.toNanos();
    return this;
  }

  /**
   * Rests before each round of a case, so that it does not pay for what earlier rounds have left to
   * the background; not at all by default. The passes of a round follow each other at once.
   */
  public Rounds resting(Duration rest) {
    restNs = rest.toNanos();
    return this;
  }

  /**
   * Names the recording that the rounds of a single case write to: it is emptied after the warm-up
   * and becomes the latency of the row. The scheduling noise of the machine is measured beside it.
   */
  public Rounds recording(Recording newRecording) {
    this.recording = newRecording;
    return this;
  }

  /** Adds a case. */
  public Rounds add(Round round) {
    return add(round, () -> {});
  }

  /**
   * Adds a case with the recording that its rounds write to: it is emptied after the warm-up and
   * becomes the latency of the row.
   */
  public Rounds add(Round round, Recording latencies) {
    return add(round, latencies, () -> {});
  }

  /**
   * The same.
   *
   * @param warm is called as well when the warm-up of all cases is over
   */
  public Rounds add(Round round, Recording latencies, Runnable warm) {
    Runnable both =
        () -> {
          latencies.reset();
          warm.run();
        };
    cases.add(new Case(round, both, latencies));
    return this;
  }

  /**
   * Adds a case.
   *
   * @param warm is called when the warm-up of all cases is over
   */
  public Rounds add(Round round, Runnable warm) {
    cases.add(new Case(round, warm, null));
    return this;
  }

  /**
   * Runs a single case, blocking the caller.
   *
   * @param label name of the case in the progress
   * @throws Exception what the round throws
   */
  public Measurement measure(String label, Round round) throws Exception {
    return add(round, recording == null ? () -> {} : recording::reset).measure(label).get(0);
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
      cases.forEach(one -> one.warm.run());
      System.gc();
      RunCost.Meter whole = RunCost.start();
      boolean recorded = cases.stream().anyMatch(one -> one.recording() != null);
      try (Jitter jitter = recorded ? Jitter.start() : null) {
        for (int i = 1; i <= rounds && !cases.stream().allMatch(one -> one.failed); i++) {
          for (Case one : cases) {
            one.measure();
          }
          progress.step("round " + i);
        }
        OptionalDouble steal = whole.stop().stealPercent();
        LatencySummary noise = jitter == null ? null : jitter.summary();
        // Rows are kept until the end, so it must not lead to what was measured.
        Object turns = new Object();
        return cases.stream().map(one -> one.measurement(steal, noise, turns)).toList();
      }
    } finally {
      progress.end();
    }
  }

  /** One round of a case; each call sends the same number of operations. */
  @FunctionalInterface
  public interface Round {
    /** Runs one whole round and returns its result. */
    RoundResult run() throws Exception;
  }

  private final class Case {
    private final Round round;
    private final Runnable warm;
    private final Recording own;
    private final List<RoundResult> results = new ArrayList<>();
    private final List<LatencySummary> latencies = new ArrayList<>();
    private long operations;
    private boolean measured;
    private boolean failed;
    private long gcPauseMs;
    private long gcCount;

    Case(Round round, Runnable warm, Recording own) {
      this.round = round;
      this.warm = warm;
      this.own = own;
    }

    Recording recording() {
      return own == null ? recording : own;
    }

    void warmUp() throws Exception {
      if (!failed) {
        RoundResult result = run(Math.min(leastNs, MOST_WARM_UP_NS));
        if (result.verdict().failed()) {
          failed = true;
          // The warm-up stands for the rounds that are not run.
          results.add(result.inWarmUp());
        }
      }
    }

    void measure() throws Exception {
      if (!failed) {
        measured = true;
        TimeUnit.NANOSECONDS.sleep(restNs);
        RunCost.Meter meter = RunCost.start();
        RoundResult result = run(leastNs);
        RunCost cost = meter.stop();
        gcPauseMs += cost.gcPauseMs();
        gcCount += cost.gcCount();
        results.add(result);
        if (recording() != null) {
          latencies.add(LatencySummary.of(recording().interval()).reportable());
        }
        failed = result.verdict().failed();
      }
    }

    private RoundResult run(long atLeastNs) throws Exception {
      RoundResult result = round.run();
      operations = result.tally().expected();
      while (result.elapsedNs() < atLeastNs && !result.verdict().failed()) {
        result = result.then(round.run());
      }
      return result;
    }

    /** The steal time is of all cases together: one round is too short for the kernel's ticks. */
    Measurement measurement(OptionalDouble steal, LatencySummary noise, Object turns) {
      RunCost cost = new RunCost(gcPauseMs, gcCount, steal);
      return measured
          ? new Measurement(results, operations, recording(), cost, noise, latencies, turns)
          : new Measurement(results, operations, null, cost, null, List.of(), turns);
    }
  }
}
