package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.bench.load.Pace;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Progress;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Tally;
import dev.weir.bench.verify.Verdict;
import dev.weir.testing.Await;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private static final long SECOND_NS = 1_000_000_000;

  private final List<String> calls = new ArrayList<>();
  private final Deque<RoundResult> script = new ArrayDeque<>();

  private static RoundResult round(long operations) {
    return RoundResult.closedLoop(Tally.complete(operations), SECOND_NS);
  }

  private Measurement measure(int rounds) throws Exception {
    return new Rounds(rounds, Progress.NONE).measure("label", script::removeFirst);
  }

  @Test
  void throwsTheWarmUpAwayAndReportsMinMedianMax() throws Exception {
    List.of(999, 30, 10, 20, 40).forEach(operations -> script.add(round(operations)));
    Measurement measurement = measure(4);
    assertThat(measurement.opsPerSec().min()).isEqualTo(10);
    assertThat(measurement.opsPerSec().median()).isEqualTo(25);
    assertThat(measurement.opsPerSec().max()).isEqualTo(40);
    assertThat(measurement.verdict().isOk()).isTrue();
  }

  @Test
  void aWarmUpEndsAfterASecondAndARoundGoesOnAsLongAsAsked() throws Exception {
    for (int i = 0; i < 1 + 3; i++) {
      script.add(round(10));
    }
    Measurement measurement =
        new Rounds(1, Progress.NONE)
            .lasting(Duration.ofSeconds(3))
            .measure("label", script::removeFirst);
    assertThat(measurement.sent()).isEqualTo(30);
    assertThat(script).isEmpty();
  }

  @Test
  void aRowDoesNotHoldWhatWasMeasured() throws Exception {
    Object measured = new Object();
    WeakReference<Object> reference = new WeakReference<>(measured);
    Row row = measuredBy(measured);
    measured = null;

    Await.until("what was measured can go", () -> collected(reference));
    assertThat(row.verdict().isOk()).isTrue();
  }

  private static Row measuredBy(Object measured) throws Exception {
    return new Rounds(1, Progress.NONE)
        .measure("label", () -> round(measured == null ? 0 : 10))
        .addTo(Row.of("scenario"));
  }

  private static boolean collected(WeakReference<Object> reference) {
    System.gc();
    return reference.refersTo(null);
  }

  @Test
  void restsBeforeEachRoundButNotBetweenItsPasses() throws Exception {
    Duration rest = Duration.ofMillis(50);
    long startNs = System.nanoTime();
    new Rounds(2, Progress.NONE)
        .lasting(Duration.ofSeconds(2))
        .resting(rest)
        .measure("label", () -> round(1));
    assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(2 * rest.toNanos());
  }

  @Test
  void latenciesOfTheWarmUpAreForgotten() throws Exception {
    Recording recording = Recording.singleWriter();
    Measurement measurement =
        new Rounds(2, Progress.NONE)
            .recording(recording)
            .measure(
                "label",
                () -> {
                  recording.record(1_000);
                  return round(1);
                });
    assertThat(recording.summary().count()).isEqualTo(2);
    assertThat(measurement.addTo(Row.of("s")).latency().count()).isEqualTo(2);
  }

  @Test
  void aFailedRoundEndsTheCaseAndFailsIt() throws Exception {
    script.add(round(1));
    script.add(round(1).and(Verdict.fail("lost 1")));
    assertThat(measure(5).verdict()).hasToString("FAIL: lost 1");
    assertThat(script).isEmpty();
  }

  @Test
  void aFailedWarmUpEndsTheCaseAndFailsIt() throws Exception {
    script.add(round(1).and(Verdict.fail("lost 1")));
    assertThat(measure(5).verdict()).hasToString("FAIL: warm-up: lost 1");
  }

  @Test
  void latenciesOutOfRangeFailTheVerdict() throws Exception {
    Recording recording = Recording.singleWriter();
    Rounds rounds = new Rounds(1, Progress.NONE).recording(recording);
    Measurement measurement =
        rounds.measure(
            "label",
            () -> {
              recording.record(-1);
              return round(1);
            });
    assertThat(measurement.verdict()).hasToString("FAIL: latencies out of range 1");
  }

  @Test
  void fillsTheRowIncludingTheWorstPace() throws Exception {
    script.add(round(5));
    for (long lagNs : new long[] {1_000, 3_000, 2_000}) {
      script.add(RoundResult.openLoop(Tally.complete(5), SECOND_NS, new Pace(5, 5, lagNs)));
    }
    Row row = measure(3).addTo(Row.of("s"));
    assertThat(row.fields()).containsEntry("rounds", 3L).containsEntry("operations", 5L);
    assertThat(row.extra())
        .containsEntry("loop", "open")
        .containsEntry("targetPerSec", 5.0)
        .containsEntry("maxSendLagUs", 3.0);
    assertThat(row.verdict()).hasToString("OK");
  }

  private RoundResult called(String which) {
    calls.add(which);
    return RoundResult.of("test", Tally.complete(1), 1_000);
  }

  @Test
  void roundsOfTheCasesTakeTurnsAfterAllWarmUps() throws Exception {
    List<Measurement> measured =
        new Rounds(2, Progress.NONE)
            .add(() -> called("a"), () -> calls.add("a warm"))
            .add(() -> called("b"), () -> calls.add("b warm"))
            .measure("test");

    assertThat(calls).containsExactly("a", "b", "a warm", "b warm", "a", "b", "a", "b");
    assertThat(measured).hasSize(2).allMatch(m -> m.rounds().size() == 2 && m.verdict().isOk());
  }

  /** Rows of a floor and of a path, with so many operations a second in each round. */
  private static Row over(List<Integer> floor, List<Integer> path) throws Exception {
    Deque<Integer> ofFloor = new ArrayDeque<>(floor);
    Deque<Integer> ofPath = new ArrayDeque<>(path);
    List<Measurement> measured =
        new Rounds(floor.size() - 1, Progress.NONE)
            .add(() -> round(ofFloor.removeFirst()))
            .add(() -> round(ofPath.removeFirst()))
            .measure("test");
    Row below = measured.get(0).addTo(Row.of("s").path("floor"));
    return measured.get(1).addTo(Row.of("s").path("path")).over(below, "xFloor");
  }

  @Test
  void aRatioIsTheMedianOverPairsOfRoundsAndItsRangeIsStated() throws Exception {
    // Between the rounds the machine becomes faster and slower; in one it stands for the floor.
    Row row = over(List.of(1, 1000, 250, 4000, 100, 2000), List.of(1, 800, 200, 3200, 800, 1500));
    assertThat(row.extra()).containsEntry("xFloor", 0.8);
    assertThat(row.extra().get("ratios"))
        .isEqualTo(
            Map.of(
                "xFloor",
                Map.of(
                    "min",
                    0.75,
                    "median",
                    0.8,
                    "max",
                    8.0,
                    "rounds",
                    List.of(0.8, 0.8, 0.8, 8.0, 0.75))));
    assertThat(row.verdict().isOk()).isTrue();
  }

  @Test
  void aFloorThatIsTooSlowIsCaughtAlthoughTheMachineChangesItsSpeed() throws Exception {
    Row row = over(List.of(1, 1000, 250, 4000), List.of(1, 1200, 300, 4800));
    assertThat(row.verdict())
        .hasToString("SUSPECT: throughput is 1.20 of the floor floor, which cannot be");
  }

  private Row cpuOver(List<Integer> floorUs, List<Integer> pathUs) throws Exception {
    Deque<Integer> ofFloor = new ArrayDeque<>(floorUs);
    Deque<Integer> ofPath = new ArrayDeque<>(pathUs);
    List<Measurement> measured =
        new Rounds(floorUs.size() - 1, Progress.NONE)
            .lasting(Duration.ofSeconds(1))
            .add(() -> round(100).withCpu(100_000L * ofFloor.removeFirst()))
            .add(() -> round(50).withCpu(50_000L * ofPath.removeFirst()))
            .measure("test");
    Row below = measured.get(0).addTo(Row.of("s").path("floor"));
    return measured.get(1).addTo(Row.of("s").path("path")).over(below, "xBare");
  }

  @Test
  void cpuTimeForAnOperationIsComparedRoundByRound() throws Exception {
    Row row = cpuOver(List.of(9, 10, 20, 5), List.of(9, 12, 24, 6));
    assertThat(row.extra())
        .containsEntry("cpu us", 12.0)
        .containsEntry("xBareCpu", 1.2)
        .containsEntry("xBare", 0.5);
    assertThat(row.verdict().isOk()).isTrue();
  }

  @Test
  void aFloorThatTakesMoreCpuTimeThanWhatStandsOnItIsCaught() throws Exception {
    assertThat(cpuOver(List.of(9, 10, 20, 5), List.of(9, 8, 16, 4)).verdict())
        .hasToString("SUSPECT: CPU time is 0.80 of the floor floor, which cannot be");
  }

  @Test
  void responseTimesAreComparedRoundByRoundToo() throws Exception {
    Recording floor = Recording.singleWriter();
    Recording path = Recording.singleWriter();
    Deque<Integer> us = new ArrayDeque<>(List.of(1, 10, 40, 20));
    RoundResult result = RoundResult.openLoop(Tally.complete(5), SECOND_NS, new Pace(5, 5, 1_000));
    List<Measurement> measured =
        new Rounds(3, Progress.NONE)
            .add(() -> recorded(floor, us.getFirst(), result), floor)
            .add(() -> recorded(path, 3 * us.removeFirst(), result), path)
            .measure("test");
    Row below = measured.get(0).addTo(Row.of("s").path("floor"));
    Row row = measured.get(1).addTo(Row.of("s").path("path")).over(below, "xFloor");
    assertThat(row.latency().count()).isEqualTo(600);
    assertThat((Double) row.extra().get("xp50")).isCloseTo(3, within(0.01));
    assertThat(row.extra().get("ratios")).asString().contains("xp50").doesNotContain("xp99");
  }

  @Test
  void aStallInOneOfNineRoundsShowsInThePercentilesAndInTheRangeOfTheRatio() throws Exception {
    Recording floor = Recording.singleWriter();
    Recording path = Recording.singleWriter();
    Deque<Integer> stalls = new ArrayDeque<>(List.of(0, 0, 0, 0, 200, 0, 0, 0, 0, 0));
    RoundResult result = RoundResult.openLoop(Tally.complete(5), SECOND_NS, new Pace(5, 5, 1_000));
    List<Measurement> measured =
        new Rounds(9, Progress.NONE)
            .add(() -> atAThousandPerSec(floor, 0, result), floor)
            .add(() -> atAThousandPerSec(path, stalls.removeFirst(), result), path)
            .measure("test");
    Row below = measured.get(0).addTo(Row.of("s").path("floor"));
    Row row = measured.get(1).addTo(Row.of("s").path("path")).over(below, "xFloor");
    assertThat(row.latency().p99Us()).isBetween(15_000.0, 25_000.0);
    assertThat(row.latency().p999Us()).isBetween(170_000.0, 185_000.0);
    assertThat(row.latency().maxUs()).isBetween(199_000.0, 201_000.0);
    Map<?, ?> ratios = (Map<?, ?>) row.extra().get("ratios");
    assertThat((Double) ((Map<?, ?>) ratios.get("xp99")).get("max")).isGreaterThan(150);
  }

  /** Two seconds of replies after 1 ms; in a stall each waits for its end. */
  private static RoundResult atAThousandPerSec(Recording into, int stallMs, RoundResult result) {
    for (int ms = 0; ms < 2_000; ms++) {
      into.record(1_000_000L * Math.max(1, stallMs - ms));
    }
    return result;
  }

  private static RoundResult recorded(Recording recording, int us, RoundResult result) {
    for (int i = 0; i < 200; i++) {
      recording.record(1_000L * us);
    }
    return result;
  }

  @Test
  void aCaseThatFailsTakesNoFurtherPart() throws Exception {
    List<Measurement> measured =
        new Rounds(3, Progress.NONE)
            .warmUps(2)
            .add(() -> called("bad").and(Verdict.fail("lost 1")))
            .add(() -> called("good"))
            .measure("test");

    assertThat(calls).containsExactly("bad", "good", "good", "good", "good", "good");
    assertThat(measured.get(0).verdict().reasons()).containsExactly("warm-up: lost 1");
    assertThat(measured.get(1).verdict().isOk()).isTrue();
  }

  @Test
  void aRoundIsRepeatedUntilItHasTakenLongEnough() throws Exception {
    Measurement measurement =
        new Rounds(2, Progress.NONE)
            .lasting(Duration.ofSeconds(3))
            .measure("label", () -> round(10));
    assertThat(measurement.rounds())
        .hasSize(2)
        .allMatch(round -> round.elapsedNs() == 3 * SECOND_NS)
        .allMatch(round -> round.tally().sent() == 30);
    assertThat(measurement.sent()).isEqualTo(60);
    Row row = measurement.addTo(Row.of("s"));
    assertThat(row.fields()).containsEntry("operations", 10L);
    assertThat(row.opsPerSec().median()).isEqualTo(10);
    assertThat(row.extra()).containsEntry("measuredMs", 6_000.0);
  }

  @Test
  void aRateThatIsMissedInEveryRoundIsFoundOnceAndFailsNothing() throws Exception {
    RoundResult slow =
        RoundResult.openLoop(Tally.complete(10), SECOND_NS, new Pace(1_000, 10, 5_000));
    Measurement measurement = new Rounds(3, Progress.NONE).measure("label", () -> slow);
    assertThat(measurement.rounds()).hasSize(3);
    assertThat(measurement.verdict())
        .hasToString("MISSED: target rate missed: sent 10/s of 1,000/s");
    assertThat(measurement.verdict().failed()).isFalse();
  }
}
