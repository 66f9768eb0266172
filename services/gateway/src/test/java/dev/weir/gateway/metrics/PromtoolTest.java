package dev.weir.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus' own tool, of Debian's package prometheus, says of scrape and rules. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PromtoolTest {
  private static final String TOOL = "promtool";

  @TempDir Path directory;

  @BeforeEach
  void onlyWhereThereIsThatTool() {
    boolean there =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, TOOL)));
    assumeTrue(there, "skipped: promtool is not on the PATH; Debian's package is prometheus");
  }

  @Test
  void findsNothingWrongWithAScrape() throws Exception {
    Path scrape = directory.resolve("scrape.txt");
    try (BusyNode busy = new BusyNode(directory.resolve("data"))) {
      busy.node.scrape();
      Files.writeString(scrape, busy.node.scrape());
    }
    run(scrape.toFile(), TOOL, "check", "metrics");
  }

  @Test
  void findsNothingWrongWithTheAlertRules() throws Exception {
    run(new File("/dev/null"), TOOL, "check", "rules", AlertRules.FILE.toString());
  }

  private static void run(File input, String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectInput(input).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).describedAs(output).isZero();
  }
}
