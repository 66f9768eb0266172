package dev.weir.bench;

import dev.weir.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {

  @Test
  void dependenciesPointDown() {
    Layers.entry(
            BenchCommand.class,
            CodeLocation.class,
            CompareCommand.class,
            ExitCodes.class,
            ForkedRuns.class,
            HarnessScenario.class,
            Measurement.class,
            ModuleJvm.class,
            Preheat.class,
            Profile.class,
            Rig.class,
            RigOptions.class,
            Rounds.class,
            RunContext.class,
            Scenario.class)
        .layer("report")
        .layer("load", "env", "program", "floor")
        .layer("record", "verify")
        .check();
  }
}
