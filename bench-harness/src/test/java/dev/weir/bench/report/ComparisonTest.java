package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.report.Comparison.Change;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static Comparison compare(Row before, Row after) throws IOException {
    return Comparison.of(List.of(run(before)), List.of(run(after)));
  }

  private static PublishedRun run(Row... rows) throws IOException {
    return PublishedRun.of(ResultsJson.write(Samples.results(rows)));
  }

  private static Row rounds(double... perSec) {
    return Samples.rpc().opsPerSec(Spread.of(perSec));
  }

  private static Change change(Row before, Row after) throws IOException {
    return compare(before, after).pairs().get(0).change();
  }

  @Test
  void roundsThatOverlapAreNoDifference() throws IOException {
    assertThat(change(rounds(100, 110, 120), rounds(90, 95, 105))).isEqualTo(Change.NONE);
  }

  @Test
  void roundsThatAreApartAreAChange() throws IOException {
    assertThat(change(rounds(100, 110, 120), rounds(80, 90, 95))).isEqualTo(Change.SLOWER);
    assertThat(change(rounds(100, 110, 120), rounds(121, 130, 140))).isEqualTo(Change.FASTER);
  }

  /** The range alone would hide it. */
  @Test
  void oneStrayRoundOfManyHidesNoChange() throws IOException {
    assertThat(
            change(
                rounds(100, 101, 102, 103, 104, 105, 106, 70),
                rounds(80, 81, 82, 83, 84, 85, 86, 87)))
        .isEqualTo(Change.SLOWER);
  }

  @Test
  void resultsWithoutSingleRoundsAreComparedByTheirRange() throws IOException {
    Row before = Samples.rpc().opsPerSec(new Spread(100, 110, 120));
    assertThat(change(before, rounds(118, 125, 130))).isEqualTo(Change.NONE);
    assertThat(change(before, rounds(80, 85, 90))).isEqualTo(Change.SLOWER);
  }

  @Test
  void failsBelowTheRatioOnlyIfTheTestFindsAChange() throws IOException {
    assertThat(compare(rounds(100, 110, 120), rounds(70, 75, 105)).isBelow(0.9)).isFalse();
    Comparison slower = compare(rounds(100, 110, 120), rounds(80, 88, 90));
    assertThat(slower.isBelow(0.9)).isTrue();
    assertThat(slower.isBelow(0.7)).isFalse();
  }

  @Test
  void aRowThatFailsNowIsBelowAnyRatio() throws IOException {
    Row failed = rounds(100, 110, 120).verdict(Verdict.fail("lost 1"));
    assertThat(compare(rounds(100, 110, 120), failed).isBelow(0.01)).isTrue();
  }

  @Test
  void responseTimesAtARateAreShownAndNotTested() throws IOException {
    Row paced = Samples.rpc().latency(Samples.latencies()).extra("targetPerSec", 1000);
    assertThat(change(paced, paced)).isEqualTo(Change.UNTESTED);
  }

  @Test
  void aRatioOutsideOfTheRangeThatItHadBeforeIsNamed() throws IOException {
    Row before = rounds(100, 110, 120);
    before.ratio("xRaw", Spread.of(0.7, 0.8, 0.9)).ratio("xp99.9", Spread.of(2, 3, 4));
    Row after = rounds(100, 110, 120);
    after.ratio("xRaw", Spread.of(0.5, 0.6, 0.8)).ratio("xp99.9", Spread.of(1, 2.5, 9));
    assertThat(compare(before, after).lines())
        .contains(
            "1 of 2 ratios are within the range that they had before; outside: rpc one-way memory"
                + " buffer 74 10000 200 xRaw 0.60, was 0.70 to 0.90");
    assertThat(compare(before, before).lines())
        .contains("2 of 2 ratios are within the range that they had before");
    assertThat(compare(rounds(100, 110, 120), after).lines())
        .noneMatch(line -> line.contains("ratios"));
  }

  @Test
  void theTextNamesRowsThatOnlyOneSideHasAndTheLargestChange() throws IOException {
    Row other = Samples.rpc().path("raw-bus");
    List<String> lines =
        Comparison.of(List.of(run(rounds(100, 110, 120), other)), List.of(run(rounds(50, 55, 60))))
            .lines();
    assertThat(lines)
        .contains("some-bench: 1 rows only before, 0 only after")
        .last()
        .asString()
        .startsWith("0 faster, 1 slower, 0 no difference")
        .endsWith("slowest: rpc one-way memory buffer 74 10000 200 0.50");
  }
}
