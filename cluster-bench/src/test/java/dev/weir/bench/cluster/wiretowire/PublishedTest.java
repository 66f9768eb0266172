package dev.weir.bench.cluster.wiretowire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.threads.CpuConfig;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.cluster.wiretowire.Published.Access;
import org.junit.jupiter.api.Test;

class PublishedTest {

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
}
