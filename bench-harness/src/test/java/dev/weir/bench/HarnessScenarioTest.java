package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.report.Progress;
import dev.weir.bench.report.Row;
import java.nio.file.Path;
import java.util.HashSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(600)
class HarnessScenarioTest {

  @Test
  void reportsTheFloorOfTheHarnessAndTheNoiseOfTheMachine() throws Exception {
    RigOptions options = RigOptions.of("some-bench", Profile.QUICK, Path.of("unused"));
    RunContext context = new RunContext("harness", options, Progress.NONE, new HashSet<>());
    new HarnessScenario().run(context);
    assertThat(context.rows())
        .extracting(Row::id)
        .containsExactly(
            "harness_floor_no-op-plain_inFlight1_operations5000000",
            "harness_floor_no-op-recorded_inFlight1_operations5000000",
            "harness_floor_no-op-paced_operations10000",
            "harness_jitter_idle_operations1000");
    assertThat(context.rows().get(0).verdict()).hasToString("OK");
    assertThat(context.rows().get(3).latency().count()).isEqualTo(1_000);
  }
}
