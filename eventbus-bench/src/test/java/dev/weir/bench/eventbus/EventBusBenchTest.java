package dev.weir.bench.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.ExitCodes;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class EventBusBenchTest {

  /** The benchmark itself: prints speeds, fails on a verdict only. */
  @Test
  @Tag("bench")
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void theQuickProfileEarnsAllItsFigures() {
    assertThat(new EventBusBench().execute("--quick")).isZero();
  }

  @Test
  void listsItsScenarios() {
    String list = outputOf("--list");

    assertThat(list.lines().map(line -> line.substring(0, line.indexOf(':'))))
        .containsExactly(
            "harness",
            "rpc",
            "durable-send",
            "probe",
            "latency",
            "backlog",
            "metrics",
            "http",
            "http-latency");
  }

  @Test
  void helpsWithTheCommandLine() {
    assertThat(outputOf("--help")).contains("--quick", "--full", "--scenario", "--json", "--set");
  }

  @Test
  void refusesANumberOfEventLoopsThatMakesNoSense(@TempDir Path directory) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    String[] args = {"--no-publish", "--out=" + directory, "--scenario=latency", "--set=loops=3"};

    assertThat(new EventBusBench().execute(out, out, args)).isEqualTo(ExitCodes.VERDICT_FAILED);
    assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("loops is 3, allowed is 1 or 2");
  }

  private static String outputOf(String option) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    assertThat(new EventBusBench().execute(out, out, option)).isZero();
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
