package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.report.BenchmarkReport;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarksPageTest {
  private static final String BEGIN = "```java\n";
  private static final int MAX_LINES = 60;

  @TempDir private Path directory;

  @Test
  void theScenarioOfThePageIsOneThatCompiles() throws IOException {
    Path root = BenchmarkReport.locate(Path.of("")).orElseThrow().getParent();
    String page = Files.readString(root.resolve("docs/benchmarks.md"));
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    String shown = page.substring(begin, page.indexOf("```", begin));
    assertThat(shown.lines()).hasSizeLessThanOrEqualTo(MAX_LINES);
    assertThat(
            Files.readString(
                root.resolve("bench-harness/src/test/java/dev/weir/bench/LookupScenario.java")))
        .endsWith(shown);
  }

  @Test
  void theScenarioOfThePageMeasuresARowOverItsFloor() throws IOException {
    BenchCommand bench =
        new BenchCommand() {
          @Override
          protected String suite() {
            return "some-bench";
          }

          @Override
          protected List<Scenario> scenarios() {
            return List.of(new LookupScenario());
          }
        };
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    assertThat(
            bench.execute(
                nowhere,
                nowhere,
                "--scenario",
                "lookup",
                "--set",
                "scale=0.001",
                "--out",
                directory.toString()))
        .isEqualTo(ExitCodes.OK);
    assertThat(Files.readString(directory.resolve("results.csv")))
        .contains("lookup", "ConcurrentHashMap", "xFloor");
  }
}
