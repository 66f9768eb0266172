package dev.weir.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordingTest {
  @TempDir private Path directory;

  static Stream<Recording> recordings() {
    return Stream.of(Recording.singleWriter(), Recording.concurrent());
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void summarisesInMicroseconds(Recording recording) {
    IntStream.rangeClosed(1, 1000).forEach(us -> recording.record(us * 1_000L));
    LatencySummary summary = recording.summary();
    assertThat(summary.count()).isEqualTo(1000);
    assertThat(summary.p50Us()).isBetween(499.0, 501.0);
    assertThat(summary.p90Us()).isBetween(899.0, 901.0);
    assertThat(summary.p99Us()).isBetween(989.0, 991.0);
    assertThat(summary.p999Us()).isBetween(998.0, 1000.0);
    assertThat(summary.maxUs()).isBetween(999.0, 1001.0);
    assertThat(summary.toMap()).containsOnlyKeys("p50", "p99", "p99.9", "max");
  }

  @Test
  void aPercentileNeedsTenValuesBeyondIt() {
    Recording recording = Recording.singleWriter();
    IntStream.rangeClosed(1, 999).forEach(us -> recording.record(us * 1_000L));
    LatencySummary few = recording.summary().reportable();
    assertThat(few.p50Us()).isBetween(499.0, 501.0);
    assertThat(few.p90Us()).isBetween(898.0, 901.0);
    assertThat(few.p99Us()).isNaN();
    assertThat(few.p999Us()).isNaN();
    assertThat(few.maxUs()).isBetween(998.0, 1000.0);
    recording.record(1);
    assertThat(recording.summary().reportable().p99Us()).isBetween(988.0, 991.0);
  }

  @Test
  void takesAllThatAnotherOneHas() {
    Recording one = Recording.singleWriter();
    one.record(1_000);
    Recording other = Recording.singleWriter();
    other.record(-1);
    other.record(2_000_000);

    one.add(other);

    assertThat(one.summary().count()).isEqualTo(3);
    assertThat(one.summary().maxUs()).isBetween(1_998.0, 2_002.0);
    assertThat(one.outOfRange()).isEqualTo(1);
    assertThat(other.summary().count()).isEqualTo(2);
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void valuesOutOfRangeAreCountedAndNotDropped(Recording recording) {
    recording.record(Recording.MAX_VALUE_NS + 1);
    recording.record(-1);
    recording.record(Recording.MAX_VALUE_NS);
    assertThat(recording.outOfRange()).isEqualTo(2);
    assertThat(recording.histogram().getTotalCount()).isEqualTo(3);
    assertThat(recording.summary().maxUs()).isGreaterThan(599e6);
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void intervalsHoldWhatIsNewAndTheTotalHoldsAll(Recording recording) {
    recording.record(1_000);
    assertThat(recording.interval().getTotalCount()).isEqualTo(1);
    recording.record(2_000);
    recording.record(3_000);
    assertThat(recording.interval().getTotalCount()).isEqualTo(2);
    assertThat(recording.histogram().getTotalCount()).isEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void aResetForgetsEverything(Recording recording) {
    recording.record(-5);
    recording.reset();
    assertThat(recording.outOfRange()).isZero();
    assertThat(recording.histogram().getTotalCount()).isZero();
  }

  @Test
  void manyThreadsMayWriteToAConcurrentRecording() {
    Recording recording = Recording.concurrent();
    IntStream.range(0, 100_000).parallel().forEach(recording::record);
    assertThat(recording.histogram().getTotalCount()).isEqualTo(100_000);
  }

  @Test
  void writesPercentilesInMicroseconds() throws IOException {
    Recording recording = Recording.singleWriter();
    recording.record(250_000);
    Path file = directory.resolve("a.hgrm");
    Recording.writeHgrm(recording.histogram(), file);
    assertThat(Files.readAllLines(file).get(0)).contains("Value", "Percentile", "TotalCount");
    assertThat(Files.readString(file)).contains("250.").contains("#[Max     =");
  }
}
