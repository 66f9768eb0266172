package dev.weir.bench;

import dev.weir.bench.env.Jitter;
import dev.weir.bench.env.RunCost;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Progress;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs one case: a warm-up that is a full round thrown away, a garbage collection, then the
 * measured rounds. A round that fails its verdict ends the case; a failed warm-up counts too.
 */
public final class Rounds {
  private final int rounds;
  private final Progress progress;
  private Recording recording;

  /** So many measured rounds, at least 1. */
  public Rounds(int rounds, Progress progress) {
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds must be at least 1: " + rounds);
    }
    this.rounds = rounds;
    this.progress = progress;
  }

  /**
   * Names the recording that the rounds write to: it is emptied after the warm-up and becomes the
   * latency of the row, with the scheduling noise of the machine measured beside it.
   */
  public Rounds recording(Recording newRecording) {
    this.recording = newRecording;
    return this;
  }

  /**
   * Runs the case, blocking the caller.
   *
   * @param label names the case to who watches
   * @throws Exception what the round throws
   */
  public Measurement measure(String label, Round round) throws Exception {
    progress.begin(label, rounds + 1);
    try {
      RoundResult warmUp = round.run();
      progress.step("warm-up");
      if (!warmUp.verdict().isOk()) {
        return Measurement.ofFailedWarmUp(warmUp);
      }
      if (recording != null) {
        recording.reset();
      }
      System.gc();
      return measured(round);
    } finally {
      progress.end();
    }
  }

  private Measurement measured(Round round) throws Exception {
    List<RoundResult> results = new ArrayList<>();
    RunCost.Meter cost = RunCost.start();
    try (Jitter jitter = recording == null ? null : Jitter.start()) {
      boolean ok = true;
      for (int i = 1; i <= rounds && ok; i++) {
        RoundResult result = round.run();
        results.add(result);
        ok = result.verdict().isOk();
        progress.step("round " + i);
      }
      return new Measurement(
          results, recording, cost.stop(), jitter == null ? null : jitter.summary());
    }
  }

  /** One round of a case; each call sends the same number of operations. */
  @FunctionalInterface
  public interface Round {
    /** Runs one whole round and returns what it came to. */
    RoundResult run() throws Exception;
  }
}
