package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jar as it is built, run as it is documented. */
@Timeout(900)
class QueueJarIT {
  private static final Path JAR = Path.of(System.getProperty("weir.queue.jar"));
  private static final String LINE = "{\"queue\":\"q\",\"text\":\"caf\u00e9\"}\n";

  @TempDir Path directory;

  private ToolRun run(String input, String... args) throws IOException, InterruptedException {
    Path in = Files.writeString(directory.resolve("in"), input);
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-jar", JAR.toString()));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    int exitCode = process.waitFor();
    return new ToolRun(exitCode, Files.readString(out), Files.readString(err));
  }

  @Test
  void theCommandsWorkFromTheJar() throws IOException, InterruptedException {
    String data = directory.resolve("data").toString();

    assertThat(run(LINE, "import", data).ok().out()).isEqualTo("imported 1 messages\n");

    assertThat(run("", "list", data).ok().lines()).hasSize(2);
    assertThat(run("", "peek", data, "--queue", "q").ok().out()).endsWith("\"caf\u00e9\"\n");
    ToolRun exported = run("", "export", data, "--all", "--text").ok();
    assertThat(exported.out()).endsWith("\"body\":\"Y2Fmw6k=\",\"text\":\"caf\u00e9\"}\n");
    assertThat(exported.err()).isEqualTo("weir-queue: exported 1 messages\n");
    ToolRun verified = run("", "verify", data).ok();
    assertThat(verified.out()).endsWith("intact\n");
    assertThat(verified.err()).isEmpty();
    run("", "list", data + "x").refused(3);
    run("", "lost").refused(2);
    assertThat(run("", "--version").ok().out()).matches("weir-queue \\d.*\n");
  }

  @Test
  void aStoreThatIsKilledIsLookedInto() throws IOException, InterruptedException {
    Path data = directory.resolve("data");
    try (ChildJvm child = ChildJvm.start(CrashChild.class, data.toString(), "PROCESS", "1", "0")) {
      assertThat(child.says(JeMarks.OPENED)).isTrue();
      run("", "list", data.toString()).refused(3);
    }
    run("", "stats", data.toString()).ok();
    run("", "export", data.toString(), "--all").ok();
    run("", "verify", data.toString()).ok();
  }

  @Test
  void theLibraryIsWithoutTheLibrariesOfTheTool() throws IOException {
    Path library;
    try (var files = Files.list(JAR.getParent())) {
      library =
          files
              .filter(file -> file.getFileName().toString().matches("weir-queue-\\d.*\\.jar"))
              .findFirst()
              .orElseThrow();
    }
    try (JarFile jar = new JarFile(library.toFile())) {
      assertThat(jar.stream().map(Object::toString))
          .isNotEmpty()
          .noneMatch(name -> name.startsWith("picocli") || name.startsWith("com/"));
    }
  }
}
