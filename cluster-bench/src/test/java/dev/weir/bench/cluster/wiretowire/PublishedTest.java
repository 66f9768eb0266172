package dev.weir.bench.cluster.wiretowire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.ClusterBench;
import dev.weir.bench.cluster.threads.CpuConfig;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.cluster.wiretowire.Published.Access;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class PublishedTest {
  /** As Rumi states it. */
  private static final int WIRE_US = 23;

  @Test
  void knowsAFigureOfRumiForEveryConfigurationAndTheBestOfXPlatform() {
    for (Access access : Access.values()) {
      for (OptimizeFor optimize : OptimizeFor.values()) {
        assertThat(Published.of(access, optimize))
            .extracting(Published::config)
            .containsExactly(CpuConfig.MINCPU, CpuConfig.DEFAULT, CpuConfig.MAXCPU, null);
      }
    }
  }

  @Test
  void theBestIsTheLowestLatencyOrTheHighestThroughput() {
    Published latency = Published.best(Published.RUMI, Access.DIRECT, OptimizeFor.LATENCY);
    Published throughput = Published.best(Published.RUMI, Access.INDIRECT, OptimizeFor.THROUGHPUT);

    assertThat(latency.figure()).isEqualTo(23.60);
    assertThat(throughput.figure()).isEqualTo(139_875);
    assertThat(Published.best(Published.X_PLATFORM, Access.DIRECT, OptimizeFor.LATENCY).figure())
        .isEqualTo(27.34);
  }

  @Test
  void theReportHasTheSameFigures() throws IOException {
    String template;
    try (InputStream in = ClusterBench.class.getResourceAsStream("report.template")) {
      template = new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll(" +", " ");
    }
    for (Published one : Published.ALL) {
      String figure =
          one.optimize() == OptimizeFor.THROUGHPUT
              ? String.format(Locale.ROOT, "%,d", one.perSec())
              : String.format(Locale.ROOT, "%.2f", one.p50Us());
      String text =
          one.config() == null
              ? " " + figure + " (" + one.cpus() + ")"
              : one.optimize() == OptimizeFor.THROUGHPUT
                  ? String.format(
                      Locale.ROOT, " %s %d %+d%% ", figure, one.cpus(), one.vsXPlatformPercent())
                  : String.format(
                      Locale.ROOT,
                      " %s %s %d %s %.2f %.2f %.2f %.2f %d%% ",
                      one.access(),
                      one.config() == CpuConfig.MINCPU
                          ? "MinCPU"
                          : one.config() == CpuConfig.MAXCPU ? "MaxCPU" : "Default",
                      one.cpus(),
                      figure,
                      one.p99Us(),
                      one.p999Us(),
                      one.p50Us() - WIRE_US,
                      one.p99Us() - WIRE_US,
                      one.vsXPlatformPercent());
      assertThat(template).contains(text);
    }
  }
}
