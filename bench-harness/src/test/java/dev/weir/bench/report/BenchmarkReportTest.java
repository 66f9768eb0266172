package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkReportTest {
  @TempDir private Path directory;
  private Path file;
  private BenchmarkReport report;

  @BeforeEach
  void setUp() {
    file = directory.resolve("BENCHMARK.txt");
    report = new BenchmarkReport(file);
  }

  @Test
  void createsTheFileWithAHeader() throws IOException {
    report.publish("b-bench", "text");
    assertThat(Files.readString(file))
        .startsWith("Benchmark report.")
        .endsWith("\n\n=== b-bench ===\ntext\n=== end of b-bench ===\n");
  }

  @Test
  void replacesItsOwnSectionAndKeepsTheOthersInAlphabeticOrder() throws IOException {
    report.publish("c-bench", "c1\n");
    report.publish("a-bench", "a1\n\nmore\n");
    report.publish("b-bench", "b1\n");
    report.publish("c-bench", "c2\n");
    assertThat(Files.readString(file))
        .endsWith(
            """

            === a-bench ===
            a1

            more
            === end of a-bench ===

            === b-bench ===
            b1
            === end of b-bench ===

            === c-bench ===
            c2
            === end of c-bench ===
            """)
        .doesNotContain("c1");
  }

  @Test
  void publishingTheSameAgainChangesNothing() throws IOException {
    report.publish("a-bench", "a\n");
    report.publish("b-bench", "b\n");
    String before = Files.readString(file);
    report.publish("a-bench", "a\n");
    report.publish("b-bench", "b\n");
    assertThat(Files.readString(file)).isEqualTo(before);
  }

  @Test
  void leavesNoOtherFileBehind() throws IOException {
    report.publish("a-bench", "a\n");
    report.publish("a-bench", "b\n");
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void aSectionWithoutEndIsAClearErrorAndNothingIsTouched() throws IOException {
    assertDamaged("=== a-bench ===\nx\n", "line 2: section 'a-bench' has no end line");
    assertDamaged(
        "=== a-bench ===\n=== b-bench ===\n=== end of b-bench ===\n",
        "line 2: section 'a-bench' has no end line before this");
  }

  @Test
  void aStrayEndAndASecondSectionAreClearErrorsToo() throws IOException {
    assertDamaged("x\n=== end of a-bench ===\n", "line 2: an end line without its begin line");
    String section = "=== a-bench ===\n=== end of a-bench ===\n";
    assertDamaged(section + section, "line 3: a second section 'a-bench'");
  }

  private void assertDamaged(String content, String message) throws IOException {
    Files.writeString(file, content);
    assertThatThrownBy(() -> report.publish("b-bench", "b\n"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("BENCHMARK.txt is damaged at " + message);
    assertThat(Files.readString(file)).isEqualTo(content);
  }

  @Test
  void refusesTextAndNamesThatWouldDamageTheFile() {
    assertThatThrownBy(() -> report.publish("b-bench", "=== end of a ===\n"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> report.publish("b bench", "b\n"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void isLocatedBesideGitOrWhereItAlreadyIs() throws IOException {
    Path below = Files.createDirectories(directory.resolve("module/target"));
    Files.createDirectory(directory.resolve(".git"));
    assertThat(BenchmarkReport.locate(below)).contains(file);
    Path nearer = directory.resolve("module/BENCHMARK.txt");
    Files.createFile(nearer);
    assertThat(BenchmarkReport.locate(below)).contains(nearer);
  }
}
