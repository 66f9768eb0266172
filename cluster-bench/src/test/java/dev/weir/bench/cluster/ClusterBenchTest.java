package dev.weir.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ClusterBenchTest {

  /** The benchmark itself: prints speeds, fails on a verdict only. */
  @Test
  @Tag("bench")
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void theQuickProfileEarnsAllItsFigures() {
    assertThat(new ClusterBench().execute("--quick")).isZero();
  }

  /** What the published results are made with. */
  @Test
  @Tag("soak")
  @Tag("full")
  @Timeout(value = 8, unit = TimeUnit.HOURS)
  void theFullProfileEarnsAllItsFigures() {
    assertThat(new ClusterBench().execute("--full")).isZero();
  }

  @Tag("slow")
  @Test
  void aSmallRunOfTheFloorsLeavesResultsAndNothingElse(@TempDir Path directory) throws IOException {
    Program program =
        Program.run("--scenario", "floors", "--set", "scale=0.02", "--out", directory.toString());

    assertThat(program.exitCode()).as(program.out() + program.err()).isZero();
    assertThat(Files.readString(directory.resolve("results.json")))
        .contains("\"handler\"", "\"spinning-paced\"", "\"blocking-ping-pong\"")
        .contains("\"entry-processor-blocking\"", "\"je\"")
        .doesNotContain("\"FAIL");
    assertThat(directory.toFile().list()).noneMatch(name -> name.startsWith("data-"));
    Await.until(() -> "threads end: " + threads(), () -> threads().isEmpty());
  }

  @Tag("slow")
  @Test
  void aSmallRunOfOneAndTwoGroupsLeavesResultsAndNothingElse(@TempDir Path directory)
      throws IOException {
    Program program =
        Program.run(
            "--scenario",
            "processor",
            "--set",
            "scale=0.02",
            "--set",
            "processor.groups=1,2",
            "--out",
            directory.toString());

    assertThat(program.exitCode()).as(program.out() + program.err()).isZero();
    assertThat(Files.readString(directory.resolve("results.json")))
        .contains(
            "es throughput, groups 2", "\"closed\"", "es latency, groups 2", "threadsOfMember")
        .contains("\"relay\"", "\"xp50\"")
        .as("one row of each load beside the relay, which is no floor of two groups")
        .containsOnlyOnce("\"relay\"")
        .doesNotContain("\"FAIL");
    assertThat(directory.toFile().list()).noneMatch(name -> name.startsWith("data-"));
    Await.until(() -> "threads end: " + threads(), () -> threads().isEmpty());
  }

  @Tag("slow")
  @Test
  void aSmallRunOfReplicatedDocumentsPrintsWhatXenonPrintsAndLeavesNothingElse(
      @TempDir Path directory) throws IOException {
    Program program =
        Program.run(
            "--scenario", "documents", "--set", "scale=0.05", "--out", directory.toString());

    assertThat(program.exitCode()).as(program.out() + program.err()).isZero();
    assertThat(program.out())
        .contains("[doReplication][weir-bus][Total operations: 3000]")
        .contains("[doReplication][weir-factory][Total operations: 3000]")
        .containsPattern("\\[Total ops for POST: 250, Throughput \\(ops/sec\\): \\d+\\.\\d+]")
        .contains("[Total ops for PATCH: 1250,", "[Total ops for PUT: 1250,")
        .contains("[Total ops for DELETE: 250,");
    assertThat(Files.readString(directory.resolve("results.json"))).doesNotContain("\"FAIL");
    assertThat(directory.toFile().list()).noneMatch(name -> name.startsWith("data-"));
    Await.until(() -> "threads end: " + threads(), () -> threads().isEmpty());
  }

  @Tag("soak")
  @Test
  void aSmallRunOfMembersThatComeAndGoLosesNothingAndLeavesNothingElse(@TempDir Path directory)
      throws IOException {
    Program program = Program.run(small("rebalance", directory));

    assertThat(program.exitCode()).as(program.out() + program.err()).isZero();
    assertThat(Files.readString(directory.resolve("results.json")))
        .contains("\"join\"", "\"leave\"", "\"keyOutageMs\"", "\"moved\"", "\"beforeUs\"")
        .contains(" add d\"", " remove a\"", " all placed\"")
        .doesNotContain("\"FAIL");
    assertThat(Files.readString(directory.resolve("timeline-rebalance.csv"))).contains("add d");
    assertThat(directory.toFile().list()).noneMatch(name -> name.startsWith("data-"));
    Await.until(() -> "threads end: " + threads(), () -> threads().isEmpty());
  }

  @Tag("soak")
  @Test
  void aSmallRunOfMembersThatAreStartedAgainSaysThatTheyWereNotUpgraded(@TempDir Path directory)
      throws IOException {
    Program program = Program.run(small("upgrade", directory));

    assertThat(program.exitCode()).as(program.out() + program.err()).isZero();
    assertThat(Files.readString(directory.resolve("results.json")))
        .contains("\"same build\"", "\"keyOutageMs\"")
        .contains(" end a\"", " start a\"")
        .doesNotContain("\"FAIL");
    assertThat(directory.toFile().list()).noneMatch(name -> name.startsWith("data-"));
    Await.until(() -> "threads end: " + threads(), () -> threads().isEmpty());
  }

  @Test
  void anUpgradeFromWhatIsNoEarlierBuildIsRefused(@TempDir Path directory) throws IOException {
    Path other = Files.writeString(directory.resolve("other.jar"), "no jar");

    Path out = directory.resolve("out");
    String from = "upgrade.from=" + other;
    Program program = Program.run("--scenario", "upgrade", "--set", from, "--out", out.toString());

    assertThat(program.exitCode()).isNotZero();
    assertThat(Files.readString(out.resolve("results.json")))
        .contains("upgrade.from is " + other + ", allowed is a cluster-bench.jar");
  }

  private static String[] small(String scenario, Path directory) {
    return new String[] {
      "--scenario", scenario,
      "--set", "scale=0.02",
      "--set", scenario + ".rate=200",
      "--set", scenario + ".shards=2",
      "--set", scenario + ".keys=20",
      "--set", scenario + ".move-pause-ms=0",
      "--out", directory.toString()
    };
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("bench-") || name.startsWith("hz."))
        .toList();
  }

  @Test
  void listsItsScenarios() {
    assertThat(Program.run("--list").out().lines().map(line -> line.split(":")[0]))
        .filteredOn(name -> !name.startsWith("peer-"))
        .containsExactly(
            "harness",
            "floors",
            "wire-to-wire",
            "processor",
            "documents",
            "bus",
            "failover",
            "rebalance",
            "upgrade");
  }

  @Test
  void helpsWithTheCommandLineAndNamesThePrograms() {
    assertThat(Program.run("--help").out())
        .contains("--quick", "--full", "--scenario", "--json", "--set")
        .contains("es-processor", "sr-processor");
  }
}
