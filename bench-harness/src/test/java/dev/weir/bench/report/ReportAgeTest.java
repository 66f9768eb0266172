package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code .ci/report-age}, on small repositories. */
@Tag("slow")
class ReportAgeTest {
  private static final String SOURCE = "services/queue/src/main/java/Queue.java";

  @TempDir Path checkout;

  @BeforeEach
  void createARepositoryWithAReport() throws Exception {
    git("init", "-q");
    commit(SOURCE, "first");
    commit("BENCHMARK.txt", "WEIR BENCHMARK   commit " + head() + ", 2026-11-22, profile quick");
  }

  @Test
  void aReportWithoutLaterSourcesIsNotWarnedAbout() throws Exception {
    commit("services/queue/src/test/java/QueueTest.java", "second");
    commit("docs/page.md", "second");

    assertThat(reportAge()).contains("as new as").doesNotContain("WARNING");
  }

  @Test
  void aLaterCommitToMeasuredSourcesIsNamed() throws Exception {
    commit(SOURCE, "second");

    assertThat(reportAge()).contains("WARNING", "1 later commits", head(), SOURCE);
  }

  @Test
  void eachCommitOfAReportOfSeveralRunsIsLookedAt() throws Exception {
    String first = head();
    commit(SOURCE, "second");
    String both = first + "+" + head();
    commit("BENCHMARK.txt", "WEIR BENCHMARK   commit " + both + ", 2026-11-22, profile quick");

    assertThat(reportAge()).contains("of commit " + first, "as new as");
  }

  @Test
  void aCommitThatIsNotInTheCloneIsNamed() throws Exception {
    commit("BENCHMARK.txt", "WEIR BENCHMARK   commit 123456789, 2026-11-22, profile quick");

    assertThat(reportAge()).contains("WARNING", "123456789");
  }

  @Test
  void aMissingReportIsNoFailure() throws Exception {
    Files.delete(checkout.resolve("BENCHMARK.txt"));

    assertThat(reportAge()).contains("no BENCHMARK.txt");
  }

  private String reportAge() throws Exception {
    return run("bash", script().toString(), checkout.toString());
  }

  private static Path script() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve(".ci/report-age"))) {
      directory = directory.getParent();
    }
    return directory.resolve(".ci/report-age");
  }

  private String head() throws Exception {
    return git("rev-parse", "--short=7", "HEAD").trim();
  }

  private void commit(String file, String content) throws Exception {
    Path path = checkout.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content + "\n");
    git("add", ".");
    git("-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "-m", file);
  }

  private String git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-C", checkout.toString()));
    command.addAll(List.of(arguments));
    return run(command.toArray(String[]::new));
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
