package dev.weir.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does what the tutorial's section on HTTP says, with the jar, and compares with what it prints.
 */
class TutorialIT {
  private static final Path TUTORIAL = Path.of("..", "..", "docs", "tutorial.md");
  private static final String SECTION = "## A service over HTTP";
  private static final String PROMPT = "$ ";
  private static final String JAR = "services/echo/target/echo.jar";

  @TempDir private Path directory;

  private record Example(String command, List<String> output) {}

  @Test
  void theExamplesPrintWhatTheTutorialShows() throws Exception {
    List<String> section = section();
    assertThat(section).anyMatch(line -> line.contains("java -jar " + JAR));
    Path jar = Path.of(System.getProperty("weir.echo.jar"));
    assertThat(jar).endsWith(Path.of(JAR)).exists();
    List<Example> examples = examples(section);
    assertThat(examples).hasSizeGreaterThan(3);
    try (ChildJvm echo = start()) {
      int port = EchoProcess.port(echo);
      int managementPort = EchoProcess.managementPort(echo);
      for (Example example : examples) {
        assertThat(example.command()).startsWith("curl ").containsPattern("localhost:[89]080");
        String command =
            example
                .command()
                .replace("localhost:8080", "localhost:" + port)
                .replace("localhost:9080", "localhost:" + managementPort);
        assertThat(run(command)).as(example.command()).isEqualTo(example.output());
      }
      echo.terminate();
      assertThat(echo.exitCode()).isZero();
    }
  }

  /** As in the tutorial, but for a port and a directory of its own. */
  private ChildJvm start() {
    return EchoProcess.startJar("--http-port=0", "--data=" + directory.resolve("data"));
  }

  private static List<String> section() throws IOException {
    List<String> lines = Files.readAllLines(TUTORIAL);
    int from = lines.indexOf(SECTION);
    assertThat(from).as("%s in the tutorial", SECTION).isNotNegative();
    int to = from + 1;
    while (to < lines.size() && !lines.get(to).startsWith("## ")) {
      to++;
    }
    return lines.subList(from, to);
  }

  /** What follows a prompt in a code block, up to the next prompt or the block's end. */
  private static List<Example> examples(List<String> section) {
    List<Example> examples = new ArrayList<>();
    Example last = null;
    boolean inBlock = false;
    for (String line : section) {
      if (line.startsWith("```")) {
        inBlock = !inBlock;
        last = null;
      } else if (inBlock && line.startsWith(PROMPT)) {
        last = new Example(line.substring(PROMPT.length()), new ArrayList<>());
        examples.add(last);
      } else if (last != null) {
        last.output().add(line);
      }
    }
    return examples;
  }

  private static List<String> run(String command) throws Exception {
    Process shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
    List<String> output = shell.inputReader().lines().toList();
    assertThat(shell.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return output;
  }
}
