package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.report.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunContextTest {
  @TempDir private Path directory;

  private RunContext context(Map<String, String> settings) {
    RigOptions options = RigOptions.of("some", Profile.QUICK, directory).settings(settings);
    return new RunContext(new HarnessScenario().about(), options, Progress.NONE, new HashSet<>());
  }

  private RunContext scaled(String scale) {
    return context(Map.of("scale", scale));
  }

  @Test
  void scalesCountsButNeverToNothing() {
    assertThat(scaled("0.5").scaled(10)).isEqualTo(5);
    assertThat(scaled("0.01").scaled(10)).isEqualTo(1);
    assertThat(context(Map.of()).scaled(10, 100)).isEqualTo(10);
  }

  @Test
  void aPacedRoundLastsHalfASecondAtLeast() {
    assertThat(scaled("0.01").paced(1_000, 10)).isEqualTo(500);
    assertThat(scaled("1").paced(1_000, 10)).isEqualTo(10_000);
  }

  @Test
  void aRunThatIsScaledDownIsNotPreheatedUntilTheCompilersRest() throws Exception {
    long[] compiledMs = {0};
    Preheat.Pass busy = () -> compiledMs[0] += 1_000_000;
    assertThat(scaled("0.5").preheat(7, () -> compiledMs[0], busy).passes()).isEqualTo(1);
    assertThat(scaled("1").preheat(7, () -> compiledMs[0], busy).passes()).isEqualTo(7);
  }

  @Test
  void aRowStatesTheScaleUnlessItIsOne() {
    assertThat(scaled("0.5").row().extra()).containsEntry("scale", 0.5);
    assertThat(context(Map.of()).row().extra()).isEmpty();
  }

  @Test
  void refusesAScaleThatMakesNoSense() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scaled("0").scaled(10))
        .withMessageStartingWith("scale is 0.0");
  }

  @Test
  void refusesASettingThatTakesOtherValuesAndNamesThem() {
    RunContext context = context(Map.of("bytes", "999", "rate", "fast", "links", "tcp,udp"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> context.option("bytes", List.of(256, 1_000)))
        .withMessage("bytes is 999, allowed is one of [256, 1000]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> context.number("rate", 5, 1, 10))
        .withMessage("rate is fast, allowed is 1 to 10");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> context.options("links", "tcp", List.of("tcp", "hazelcast")))
        .withMessage("links is udp, allowed is one of [tcp, hazelcast]");
  }

  @Test
  void takesASettingThatIsAllowedOrTheDefault() {
    RunContext context = context(Map.of("bytes", "256", "rate", "7", "links", "hazelcast,tcp"));
    assertThat(context.option("bytes", List.of(256, 1_000))).contains("256");
    assertThat(context.option("none", List.of(1))).isEmpty();
    assertThat(context.number("rate", 5, 1, 10)).isEqualTo(7);
    assertThat(context.number("none", 5, 1, 10)).isEqualTo(5);
    assertThat(context.options("links", "tcp", List.of("tcp", "hazelcast")))
        .containsExactly("hazelcast", "tcp");
    assertThat(context.options("none", "tcp", List.of("tcp"))).containsExactly("tcp");
  }

  @Test
  void aDataDirectoryLiesBesideTheResultsAndEndsWithItsUse() throws IOException {
    Path path;
    try (DataDirectory data = context(Map.of()).dataDirectory()) {
      path = data.path();
      Files.createFile(path.resolve("file"));
      assertThat(path).hasParent(directory);
    }
    assertThat(path).doesNotExist();
  }
}
