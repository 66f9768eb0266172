package dev.weir.queue.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {

  @Test
  void theExampleOfTheReadmeIsTheOneThatIsCompiled() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/dev/weir/queue/example/Mailbox.java"))
            .replace("package dev.weir.queue.example;\n\n", "");
    assertThat(Files.readString(Path.of("../../README.md"))).contains("```java\n" + source + "```");
  }

  @Test
  @Timeout(60)
  void theExampleRunsAndEndsByItself(@TempDir Path directory)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Mailbox.class.getName(),
                directory.resolve("data").toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(output.lines()).containsExactlyInAnyOrder("on the disk", "hello 1");
      assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
