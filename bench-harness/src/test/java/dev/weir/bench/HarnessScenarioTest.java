package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.report.Progress;
import dev.weir.bench.report.Row;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(600)
class HarnessScenarioTest {

  @Test
  void reportsTheFloorOfTheHarnessAndTheNoiseOfTheMachine() throws Exception {
    RigOptions options =
        RigOptions.of("some-bench", Profile.QUICK, Path.of("unused"))
            .settings(Map.of("scale", "0.1"));
    ByteArrayOutputStream progress = new ByteArrayOutputStream();
    RunContext context =
        new RunContext(
            new HarnessScenario().about(),
            options,
            Progress.on(new PrintStream(progress)),
            new HashSet<>());
    new HarnessScenario().run(context);
    assertThat(progress.toString()).startsWith("  harness preheat: pass 1 ");
    assertThat(context.rows())
        .extracting(Row::id)
        .containsExactly(
            "harness_floor_no-op-plain_inFlight1_operations500000",
            "harness_floor_no-op-recorded_inFlight1_operations500000",
            "harness_floor_no-op-paced_operations5000",
            "harness_jitter_idle_operations100");
    assertThat(context.rows()).noneMatch(row -> row.verdict().failed());
    assertThat(context.rows().get(3).latency().count()).isGreaterThanOrEqualTo(100);
  }
}
