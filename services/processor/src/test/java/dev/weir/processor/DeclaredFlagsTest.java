package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeclaredFlagsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return ProcessorMain.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  @ParameterizedTest
  @CsvSource({
    "--lease-ms, 1, '20 to 300000'",
    "--heartbeat-ms, soon, a whole number",
    "--min-in-sync, 0, 1 to",
    "--replication, udp, one of [",
    "--ack-level, printed, one of [",
    "--replication-port, 99999, 0 to 65535",
    "--join, nowhere, host:port"
  })
  void aBadValueIsOneLineThatNamesTheFlagAndWhatIsAllowed(
      String flag, String value, String allowed) {
    assertThat(run("run", "--name=a", "--no-persistence", flag + "=" + value)).isEqualTo(2);

    assertThat(err.toString().lines()).singleElement().asString();
    assertThat(err.toString()).contains(flag + " ").containsIgnoringCase(value);
    assertThat(err.toString()).contains(allowed);
  }

  @Test
  void theHelpHasRangeAndDefaultOfTheDeclaration() {
    assertThat(run("run", "--help")).isZero();

    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("--heartbeat-ms=N Pause between heartbeats. Allowed: 5 to 10000. Default: ")
        .contains("--replication=REPLICATION How members exchange frames. Allowed: one of [")
        .contains("--public-replication-port", "--hand-back-ms", "--waiting", "--join");
  }
}
