package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildJvmTest {
  /** Prints its arguments, then waits for its end if the first one is "wait". */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws InterruptedException {
      for (String arg : args) {
        System.out.println("arg " + arg);
      }
      System.out.println("variable " + System.getenv("WEIR_TEST"));
      System.err.println("error");
      if (args.length > 0 && args[0].equals("wait")) {
        Thread.currentThread().join();
      }
      System.exit(7);
    }
  }

  @Test
  void readsLinesOfAChildThatEnds() {
    try (ChildJvm child =
        ChildJvm.of(Child.class).environment(Map.of("WEIR_TEST", "v")).mergeErrors().start("a")) {
      assertThat(child.firstLine()).isEqualTo("arg a");
      assertThat(child.await("variable ")).isEqualTo("v");
      assertThat(child.says("error")).isTrue();
      assertThat(child.says("never")).isFalse();
      assertThatThrownBy(() -> child.await("never"))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("no line with never")
          .hasMessageContaining("variable v");
      assertThat(child.exitCode()).isEqualTo(7);
      assertThat(child.allLines()).containsExactly("arg a", "variable v", "error");
    }
  }

  @Test
  void killsAChildThatStillRuns(@TempDir Path directory) throws IOException {
    Path errors = directory.resolve("errors");
    ChildJvm child = ChildJvm.of(Child.class).errorsTo(errors).start("wait");
    child.await("variable ");
    child.signal("STOP");
    assertThat(child.isAlive()).isTrue();
    assertThat(ProcessHandle.of(child.pid())).isPresent();

    child.close();

    assertThat(child.isAlive()).isFalse();
    assertThat(child.lines()).hasSize(2);
    assertThat(Files.readString(errors)).isEqualTo("error\n");
  }

  @Test
  void asksAChildToEnd() {
    try (ChildJvm child = ChildJvm.start(Child.class, "wait")) {
      child.await("variable ");
      child.terminate();
      assertThat(child.exitCode()).isNotZero();
    }
  }
}
