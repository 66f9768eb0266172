package dev.weir.bench.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SeedParametersTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @AfterEach
  void clear() {
    System.clearProperty("serviceCount");
    System.clearProperty("xenon.requestCount");
    System.clearProperty("totalOperationLimit");
    System.clearProperty("isStressTest");
  }

  @Test
  void whatIsNotGivenLeavesTheBenchmarkItsOwnValue() {
    SeedParameters parameters = SeedParameters.ofSystem();
    assertThat(parameters.documents()).isEqualTo(128);
    assertThat(parameters.operations(7)).isEqualTo(7);
    assertThat(parameters.duration(SECOND)).isEqualTo(SECOND);
    assertThat(parameters.idleTimeout(SECOND)).isEqualTo(SECOND);
  }

  @Test
  void namesAreThoseOfXenonWithOrWithoutItsPrefix() {
    System.setProperty("serviceCount", "64");
    System.setProperty("xenon.requestCount", "50000");
    System.setProperty("isStressTest", "true");
    SeedParameters parameters = SeedParameters.ofSystem();
    assertThat(parameters.operations(7)).isEqualTo(64 * 50_000);
    assertThat(parameters.idleTimeout(SECOND)).isGreaterThan(Duration.ofHours(1));
    System.setProperty("totalOperationLimit", "600000");
    assertThat(SeedParameters.ofSystem().operations(7)).isEqualTo(600_000);
  }

  @Test
  void aValueThatIsNoNumberIsNamed() {
    System.setProperty("serviceCount", "-1");
    assertThatThrownBy(SeedParameters::ofSystem)
        .hasMessage("serviceCount is -1, allowed is 1 to 2147483647");
  }
}
