package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private static String watch(java.util.function.Function<PrintStream, Progress> progress) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Progress watched = progress.apply(new PrintStream(bytes, true));
    watched.begin("rpc", 2);
    watched.step("warm-up");
    watched.step("round 1");
    watched.end();
    return bytes.toString();
  }

  @Test
  void writesALineForEachStepInALog() {
    assertThat(watch(Progress.Lines::new).lines())
        .containsExactly("  rpc: warm-up (1/2)", "  rpc: round 1 (2/2)");
  }

  @Test
  void drawsABarOnATerminal() {
    assertThat(watch(Progress.Bars::new)).contains("rpc").contains("100%").contains("2/2");
  }
}
