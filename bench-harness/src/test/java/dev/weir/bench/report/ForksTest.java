package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.record.Recording;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForksTest {
  @TempDir private Path directory;

  private static Row row(double... perSec) {
    return Samples.rpc().opsPerSec(Spread.of(perSec));
  }

  private Row merged(Row first, Row... others) throws IOException {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < others.length; i++) {
      Path file = directory.resolve(i + ".json");
      files.add(Files.writeString(file, ResultsJson.write(Samples.results(others[i]))));
    }
    Forks.merge(List.of(first), files);
    return first;
  }

  @Test
  void theRoundsOfAllJvmsCountAndTheIntervalIsOverTheirMedians() throws IOException {
    Row row =
        merged(
            row(99, 100, 101).column("xRaw", 0.5),
            row(109, 110, 111).column("xRaw", 0.6),
            row(119, 120, 121).column("xRaw", 0.9));
    assertThat(row.opsPerSec().min()).isEqualTo(99);
    assertThat(row.opsPerSec().median()).isEqualTo(110);
    assertThat(row.opsPerSec().max()).isEqualTo(121);
    assertThat(row.fields()).containsEntry("rounds", 9L);
    assertThat(row.extra()).containsEntry("JVMs", 3).containsEntry("xRaw", 0.6);
    // 4.303 x 10 / sqrt(3) / 110
    assertThat((Double) row.extra().get("ci95%")).isCloseTo(22.58, within(0.01));
    assertThat(row.verdict().isOk()).isTrue();
  }

  @Test
  void aRatioTakenRoundByRoundIsTheMedianOverTheRoundsOfAllJvms() throws IOException {
    Row row =
        merged(
            row(99, 100, 101).ratio("xp99.9", Spread.of(0.5, 0.6, 0.7)),
            row(99, 100, 101).ratio("xp99.9", Spread.of(0.9, 0.8, 0.7)));
    assertThat(row.extra()).containsEntry("xp99.9", 0.7);
    // Two JVMs say so little that the interval is 0.7 +- 12.706 x 0.1.
    assertThat(row.extra().get("ratios"))
        .asString()
        .contains("min=0.0", "max=1.97", "rounds=[0.5, 0.6, 0.7, 0.9, 0.8, 0.7]");
  }

  @Test
  void theRangeOfARatioHoldsTheConfidenceIntervalOverTheJvms() throws IOException {
    assertThat(range(Spread.of(1, 1.2, 1.4), Spread.of(1.1, 1.2, 1.3), Spread.of(1, 1.2, 1.4)))
        .containsExactly(1, 1.4);
    // 4.303 x 0.1 / sqrt(3)
    assertThat(range(Spread.of(1.1, 1.1, 1.1), Spread.of(1.2, 1.2, 1.2), Spread.of(1.3, 1.3, 1.3)))
        .containsExactly(new double[] {1.2 - 0.2484, 1.2 + 0.2484}, within(0.001));
    // 12.706 x 0.1 / 2, and no ratio is below zero
    assertThat(range(Spread.of(0.1, 0.1, 0.1), Spread.of(0.2, 0.2, 0.2)))
        .containsExactly(new double[] {0, 0.785}, within(0.001));
  }

  private double[] range(Spread first, Spread... others) throws IOException {
    Row row =
        merged(
            row(99, 100, 101).ratio("xRaw", first),
            Arrays.stream(others)
                .map(ratio -> row(99, 100, 101).ratio("xRaw", ratio))
                .toArray(Row[]::new));
    PublishedRow published = new PublishedRow(ResultsJson.row(row));
    return new double[] {
      published.number("extra.ratios.xRaw.min"), published.number("extra.ratios.xRaw.max")
    };
  }

  @Test
  void jvmsThatDifferMakeARowUnstableAlthoughTheRoundsOfEachAgree() throws IOException {
    assertThat(merged(row(100, 101, 102), row(140, 141, 142)).verdict())
        .hasToString("UNSTABLE: over all JVMs: the best round is 1.42 times the worst");
  }

  @Test
  void aTailThatIsTooShortIsSeenOverTheRoundsOfAllJvms() throws IOException {
    String open = RoundResult.OPEN;
    Row first = row(100, 101, 102).extra("loop", open).extra("floor", "one-way bare");
    Row other = row(100, 101, 102).extra("loop", open);
    first.ratio("xp99", Spread.of(0.5, 0.6, 0.7));
    assertThat(first.verdict().isOk()).isTrue();
    assertThat(merged(first, other.ratio("xp99", Spread.of(0.5, 0.6, 0.7))).verdict())
        .hasToString("SUSPECT: p99 is 0.60 of the floor one-way bare, which cannot be");
    Row closed = row(100, 101, 102).extra("floor", "one-way bare");
    closed.ratio("xp99", Spread.of(0.5, 0.6, 0.7));
    assertThat(merged(closed, other).verdict().isOk()).isTrue();
  }

  @Test
  void aFailureInAnyJvmFailsTheRow() throws IOException {
    Row failed = row(100, 101, 102).verdict(Verdict.fail("lost 1"));
    assertThat(merged(row(100, 101, 102), failed).verdict()).hasToString("FAIL: JVM 2: lost 1");
  }

  @Test
  void aScenarioThatThrewInAnotherJvmIsAFailedRow() throws IOException {
    List<Row> rows = new ArrayList<>(List.of(row(100, 101, 102)));
    Row thrown = Row.of("loggers").verdict(Verdict.fail("java.lang.AssertionError: why"));
    Path file =
        Files.writeString(directory.resolve("2.json"), ResultsJson.write(Samples.results(thrown)));
    Forks.merge(rows, List.of(file));
    assertThat(rows).hasSize(2);
    assertThat(rows.get(1).scenario()).isEqualTo("loggers");
    assertThat(rows.get(1).fields()).containsEntry("path", "JVM 2");
    assertThat(rows.get(1).verdict()).hasToString("FAIL: loggers: java.lang.AssertionError: why");
  }

  @Test
  void aRowThatNoOtherJvmHasStaysAsItIs() throws IOException {
    Row row = merged(row(100, 101, 102), row(1, 1, 1).path("other"));
    assertThat(row.opsPerSec().max()).isEqualTo(102);
    assertThat(row.extra()).doesNotContainKey("JVMs");
  }

  private static Row timed(long us, double measuredMs) {
    Recording recording = Recording.singleWriter();
    for (int i = 0; i < 2_000; i++) {
      recording.record(TimeUnit.MICROSECONDS.toNanos(i < 1_900 ? us : 10 * us));
    }
    return row(100, 101, 102).latency(recording).extra("measuredMs", measuredMs);
  }

  @Test
  void aPercentileIsTheMedianOfThoseOfAllJvmsAndTimesAddUp() throws IOException {
    Row row = merged(timed(10, 700), timed(30, 800), timed(20, 900));
    assertThat(row.latency().p50Us()).isCloseTo(20, within(0.1));
    assertThat(row.latency().p99Us()).isCloseTo(200, within(1.0));
    assertThat(row.latency().maxUs()).isCloseTo(300, within(1.0));
    // A p99.9 needs 10,000 values in each JVM.
    assertThat(row.latency().p999Us()).isNaN();
    assertThat(row.extra()).containsEntry("measuredMs", 2400.0);
  }
}
