package dev.weir.bench.cluster.failover;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailoverScenarioTest {
  @Test
  void groupsShareExactlyTheRoundsThatWereAskedFor() {
    assertThat(FailoverScenario.shares(6, 3)).containsExactly(2, 2, 2);
    assertThat(FailoverScenario.shares(4, 3)).containsExactly(1, 1, 2);
    assertThat(FailoverScenario.shares(2, 3)).containsExactly(1, 1);
    assertThat(FailoverScenario.shares(5, 1)).containsExactly(5);
  }
}
