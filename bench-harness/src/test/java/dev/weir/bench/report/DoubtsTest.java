package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.record.Recording;
import dev.weir.bench.verify.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DoubtsTest {

  private static Row closed(double min, double median, double max) {
    return Row.of("s")
        .caseName("one-way")
        .path("memory")
        .opsPerSec(new Spread(min, median, max))
        .extra("loop", RoundResult.CLOSED)
        .verdict(Verdict.ok());
  }

  private static Row paced(long p50Ns, long p99Ns) {
    Recording recording = Recording.singleWriter();
    for (int i = 0; i < 10_000; i++) {
      recording.record(i < 9_800 ? p50Ns : p99Ns);
    }
    return Row.of("s")
        .path("memory")
        .opsPerSec(new Spread(1, 1, 1))
        .extra("loop", RoundResult.OPEN)
        .latency(recording)
        .verdict(Verdict.ok());
  }

  private static String verdict(Row row) {
    return row.doubted().verdict().toString();
  }

  @Test
  void aSteadyRowIsOk() {
    assertThat(verdict(closed(90, 100, 110))).isEqualTo("OK");
    assertThat(verdict(paced(10_000, 500_000))).isEqualTo("OK");
  }

  @Test
  void roundsThatDifferTooMuchAreUnstable() {
    assertThat(verdict(closed(60, 100, 110)))
        .isEqualTo("UNSTABLE: the best round is 1.83 times the worst");
  }

  @Test
  void aTailThatDwarfsTheMedianIsMarked() {
    assertThat(verdict(paced(16_000, 16_000_000))).startsWith("SUSPECT: p99 is 1,00");
  }

  @Test
  void garbageCollectionStolenTimeAndNoiseAreSuspect() {
    assertThat(verdict(closed(1, 1, 1).extra("measuredMs", 1_000.0).extra("gcPauseMs", 210L)))
        .isEqualTo("SUSPECT: 21 % garbage collection");
    assertThat(verdict(closed(1, 1, 1).extra("stealPercent", 7.0)))
        .isEqualTo("SUSPECT: 7 % stolen time");
    assertThat(verdict(closed(1, 1, 1).extra("jitterUs", Map.of("p99", 25_000.0))))
        .isEqualTo("SUSPECT: an idle thread woke 25.0 ms late at p99");
  }

  @Test
  void anOutsideClientThatIsAlwaysBusyIsReportedAsTheBottleneck() {
    assertThat(verdict(closed(1, 1, 1).extra(Doubts.CLIENT_PERCENT, 97.0)))
        .isEqualTo("SUSPECT: the client is the bottleneck: busy for 97 % of the time");
    assertThat(verdict(closed(1, 1, 1).extra(Doubts.CLIENT_PERCENT, 60.0))).isEqualTo("OK");
  }

  @Test
  void aClosedLoopInWhichNeitherClientNorServerIsBusyIsSuspect() {
    Row idle =
        closed(9_000, 10_000, 11_000).cpuUs(Spread.of(30)).extra(Doubts.CLIENT_PERCENT, 60.0);
    assertThat(verdict(idle))
        .isEqualTo(
            "SUSPECT: neither side is the bottleneck: the server was busy for 30 % of the time");
    assertThat(
            verdict(
                closed(9_000, 10_000, 11_000)
                    .cpuUs(Spread.of(95))
                    .extra(Doubts.CLIENT_PERCENT, 60.0)))
        .isEqualTo("OK");
  }

  @Test
  void aFloorThatIsTooSlowIsCaught() {
    Row tooSlow = closed(40, 50, 60).path("floor");
    Row row = closed(90, 95, 99).over(tooSlow, "xFloor");
    assertThat(row.extra()).containsEntry("xFloor", 1.9);
    assertThat(verdict(row))
        .isEqualTo("SUSPECT: throughput is 1.90 of the floor one-way floor, which cannot be");
  }

  @Test
  void aDoubtAboutTheFloorIsOneAboutTheRatioToo() {
    Row busy = closed(90, 100, 110).path("bare").extra(Doubts.CLIENT_PERCENT, 97.0);
    String doubt =
        "SUSPECT: floor one-way bare: the client is the bottleneck: busy for 97 % of the time";
    assertThat(verdict(closed(40, 42, 44).over(busy, "xBare"))).isEqualTo(doubt);
    assertThat(verdict(closed(40, 42, 44).over(busy.doubted(), "xBare"))).isEqualTo(doubt);
    assertThat(ShortReason.of("JVM 2: " + doubt.substring("SUSPECT: ".length())))
        .isEqualTo("floor: client busy 97 %");
    Row wrong =
        closed(90, 100, 110)
            .path("bare")
            .verdict(Verdict.fail("lost 7").and(Verdict.of(Verdict.Kind.MISSED, "too slow")));
    assertThat(verdict(closed(40, 42, 44).over(wrong, "xBare")))
        .isEqualTo("SUSPECT: floor one-way bare: lost 7; floor one-way bare: too slow");
  }

  @Test
  void theRangeOfARatioShowsThatTheRoundsOfItsFloorDiffer() {
    Row unstable = closed(60, 100, 110).path("bare");
    assertThat(verdict(closed(40, 42, 44).over(unstable, "xBare"))).isEqualTo("OK");
  }

  @Test
  void aRatioWithinTheSpreadOfBothIsPossible() {
    Row floor = closed(90, 100, 110).path("floor");
    assertThat(verdict(closed(100, 108, 120).over(floor, "xFloor"))).isEqualTo("OK");
    assertThat(verdict(closed(40, 42, 44).over(floor, "xFloor"))).isEqualTo("OK");
  }

  @Test
  void ofARowWithAFaultTheTimeBeforeItIsJudged() {
    Row faulty = paced(16_000, 16_000_000);
    faulty.extra("beforeUs", Map.of("p50", 16.0, "p99", 500.0));
    assertThat(verdict(faulty)).isEqualTo("OK");
    faulty.extra("beforeUs", Map.of("p50", 16.0, "p99", 3_200.0));
    assertThat(verdict(faulty)).isEqualTo("SUSPECT: before: p99 is 200 times p50");
    assertThat(ShortReason.of("before: p99 is 200 times p50")).isEqualTo("p99 200 x p50");
  }

  private static Row tailed(String path, Object turns, double... p99Us) {
    List<LatencySummary> rounds =
        Arrays.stream(p99Us)
            .mapToObj(p99 -> new LatencySummary(2_000, 10, 20, p99, Double.NaN, 2 * p99))
            .toList();
    return paced(10_000, 500_000).path(path).turns(turns, rounds);
  }

  private static String tailVerdict(double... p99Us) {
    Object turns = new Object();
    Row floor = tailed("bare", turns, 100, 110, 120, 130, 140);
    return verdict(tailed("pool", turns, p99Us).over(floor, "xFloor"));
  }

  @Test
  void aTailThatIsShorterThanThatOfTheFloorInEachRoundCannotBe() {
    assertThat(tailVerdict(50, 55, 60, 65, 70))
        .isEqualTo("SUSPECT: p99 is 0.50 of the floor bare, which cannot be");
    // A single round in which it is longer, hardly shorter ones, and too few rounds may be noise.
    assertThat(tailVerdict(50, 55, 60, 65, 150)).isEqualTo("OK");
    assertThat(tailVerdict(95, 105, 115, 125, 135)).isEqualTo("OK");
    assertThat(tailVerdict(50, 55, 60)).isEqualTo("OK");
  }

  @Test
  void ofRoundsThatDidNotTakeTurnsTheLeastTailOfTheFloorCounts() {
    Row floor = tailed("bare", new Object(), 100, 110, 120, 130, 140);
    assertThat(verdict(tailed("pool", new Object(), 50, 55, 60, 65, 70).over(floor, "xFloor")))
        .isEqualTo("SUSPECT: p99 is 0.50 of the floor bare, which cannot be");
    assertThat(verdict(tailed("pool", new Object(), 80, 85, 90, 95, 105).over(floor, "xFloor")))
        .isEqualTo("OK");
  }

  @Test
  void responseTimesAreComparedWithTheFloorUpToTheTail() {
    Row row = paced(30_000, 600_000).over(paced(10_000, 100_000), "xFloor");
    assertThat(row.columns()).containsExactly("xp50", "xp99", "xp99.9");
    assertThat((Double) row.extra().get("xp50")).isBetween(2.9, 3.1);
    assertThat((Double) row.extra().get("xp99")).isBetween(5.9, 6.1);
    Map<?, ?> net = (Map<?, ?>) row.extra().get("netUs");
    assertThat((Double) net.get("p50")).isBetween(19.9, 20.1);
    assertThat((Double) net.get("p99")).isBetween(499.0, 501.0);
    assertThat(verdict(row)).isEqualTo("OK");
    assertThat(verdict(paced(7_000, 600_000).over(paced(10_000, 100_000), "xFloor")))
        .startsWith("SUSPECT: p50 is 0.70 of the floor memory");
  }
}
