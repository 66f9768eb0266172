package dev.weir.bench;

import dev.weir.bench.env.Jitter;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.NoOpTarget;
import dev.weir.bench.load.OpenLoop;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.record.Recording;
import dev.weir.bench.verify.Tally;

/** The floor below every other figure: the harness on a target that does nothing. */
public final class HarnessScenario implements Scenario {
  /** Name of this scenario in every suite. */
  public static final String NAME = "harness";

  private static final String FLOOR = "floor";
  private static final String NO_OP = "no-op";
  private static final int RATE_PER_SEC = 10_000;
  private static final int PREHEAT_PASSES = 10;
  private static final double PREHEAT_PACED_S = 0.5;

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "The harness alone, with a target that answers at once. No other closed loop can"
            + " be faster. paced: the sender sleeps until shortly before an operation is due, and"
            + " yields the CPU from then on; no paced loop can be faster. jitter: how late an idle"
            + " thread wakes from 1 ms of sleep.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    preheat(context);
    closedLoop(context, "plain", null);
    closedLoop(context, "recorded", Recording.singleWriter());
    openLoop(context);
    jitter(context);
  }

  /** All loops, with recordings that no row has. */
  private static void preheat(RunContext context) throws Exception {
    long paced = context.paced(RATE_PER_SEC, PREHEAT_PACED_S);
    context.preheat(
        PREHEAT_PASSES,
        () -> {
          closedRound(closedLoad(context, null));
          closedRound(closedLoad(context, Recording.singleWriter()));
          openRound(Load.of(paced).recordingInto(Recording.singleWriter()));
        });
  }

  private static Load closedLoad(RunContext context, Recording recording) {
    return Load.of(context.scaled(5_000_000, 20_000_000)).recordingInto(recording);
  }

  private static RoundResult closedRound(Load load) throws InterruptedException {
    return new ClosedLoop(new NoOpTarget(), load, 1).run(Runnable::run);
  }

  private static RoundResult openRound(Load load) throws InterruptedException {
    return new OpenLoop(new NoOpTarget(), load, RATE_PER_SEC).run();
  }

  private static void closedLoop(RunContext context, String path, Recording recording)
      throws Exception {
    Load load = closedLoad(context, recording);
    Measurement measurement =
        context
            .rounds(5)
            .recording(recording)
            .measure("harness closed loop, " + path, () -> closedRound(load));
    context.report(context.row(measurement).caseName(FLOOR).path(NO_OP + "-" + path).inFlight(1));
  }

  private static void openLoop(RunContext context) throws Exception {
    long operations = context.paced(RATE_PER_SEC, context.profile().pick(1, 10));
    Recording recording = Recording.singleWriter();
    Load load = Load.of(operations).recordingInto(recording);
    Measurement measurement =
        context.rounds(3).recording(recording).measure("harness open loop", () -> openRound(load));
    context.report(context.row(measurement).caseName(FLOOR).path(NO_OP + "-paced"));
  }

  private static void jitter(RunContext context) throws Exception {
    long wakeUps = context.scaled(1_000, 10_000);
    Recording recording = Recording.singleWriter();
    Measurement measurement =
        context
            .rounds(1)
            .recording(recording)
            .measure("harness jitter", () -> sleepAndWake(wakeUps, recording));
    context.report(context.row(measurement).caseName("jitter").path("idle"));
  }

  private static RoundResult sleepAndWake(long wakeUps, Recording recording) {
    long startNs = System.nanoTime();
    Jitter.measure(wakeUps, recording);
    return RoundResult.of("sleep", Tally.complete(wakeUps), System.nanoTime() - startNs);
  }
}
