package dev.weir.bench.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EventBusBenchTest {

  /** The benchmark itself: prints speeds, fails on a verdict only. */
  @Test
  @Tag("bench")
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void theQuickProfileEarnsAllItsFigures() {
    assertThat(new EventBusBench().execute("--quick")).isZero();
  }

  /** What the published results are made with. */
  @Test
  @Tag("soak")
  @Tag("full")
  @Timeout(value = 8, unit = TimeUnit.HOURS)
  void theFullProfileEarnsAllItsFigures() {
    assertThat(new EventBusBench().execute("--full")).isZero();
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
            "http-outside",
            "http",
            "http-latency",
            "start");
  }

  @Test
  void helpsWithTheCommandLine() {
    assertThat(outputOf("--help")).contains("--quick", "--full", "--scenario", "--json", "--set");
  }

  private static String outputOf(String option) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    assertThat(new EventBusBench().execute(out, out, option)).isZero();
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
