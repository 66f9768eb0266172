package dev.weir.bench.cluster.wiretowire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.threads.CpuConfig;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.cluster.wiretowire.Published.Access;
import org.junit.jupiter.api.Test;

class PublishedTest {

  @Test
  void knowsOneFigureOfRumiForEveryConfiguration() {
    for (Access access : Access.values()) {
      for (OptimizeFor optimize : OptimizeFor.values()) {
        for (CpuConfig config : CpuConfig.values()) {
          assertThat(Published.of(Published.RUMI, access, optimize, config))
              .hasValueSatisfying(row -> assertThat(row.config()).isEqualTo(config));
        }
      }
    }
  }

  @Test
  void knowsTheBestOfXPlatformOnly() {
    assertThat(
            Published.of(
                Published.X_PLATFORM, Access.DIRECT, OptimizeFor.LATENCY, CpuConfig.MAXCPU))
        .hasValueSatisfying(
            row -> {
              assertThat(row.config()).isNull();
              assertThat(row.p50Us()).isEqualTo(27.34);
            });
  }
}
