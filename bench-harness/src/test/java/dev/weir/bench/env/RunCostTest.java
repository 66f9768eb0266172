package dev.weir.bench.env;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCostTest {
  @TempDir private Path directory;

  @Test
  void stealIsItsShareOfAllCpuTimeSinceTheStart() throws IOException {
    Path stat = directory.resolve("stat");
    Files.writeString(stat, "cpu  100 0 100 700 0 0 0 100 50 0\ncpu0 1 2 3\n");
    RunCost.Meter meter = new RunCost.Meter(stat);
    Files.writeString(stat, "cpu  200 0 200 1500 0 0 0 125 90 0\ncpu0 1 2 3\n");
    assertThat(meter.stop().stealPercent()).hasValue(100.0 * 25 / 1025);
  }

  @Test
  void stealIsAbsentWhereTheKernelDoesNotTell() throws IOException {
    RunCost cost = new RunCost.Meter(directory.resolve("absent")).stop();
    assertThat(cost.stealPercent()).isEmpty();
    assertThat(cost.toMap()).containsOnlyKeys("gcPauseMs", "gcCount");
  }

  @Test
  void countsCollectionsDuringTheRun() {
    RunCost.Meter meter = RunCost.start();
    System.gc();
    assertThat(meter.stop().gcCount()).isPositive();
  }
}
