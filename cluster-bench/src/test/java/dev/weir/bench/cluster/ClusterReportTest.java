package dev.weir.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.env.Environment;
import dev.weir.bench.report.BenchmarkReport;
import dev.weir.bench.report.Results;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the report shows of faults and of changes of the members. */
class ClusterReportTest {
  @TempDir private Path directory;

  /** The report of these rows, each run of blanks as one. */
  private String published(Row... rows) throws IOException {
    List<String> template;
    try (InputStream in = ClusterBench.class.getResourceAsStream("report.template")) {
      template = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    Environment environment =
        new Environment(
            "17", "Linux", 2, 1, "Parallel", "abc", Map.of(), "CPU", 1, List.of(), "disk");
    Path file = directory.resolve("BENCHMARK.txt");
    new BenchmarkReport(file)
        .publish(
            new Results(
                "cluster-bench", "full", Instant.EPOCH, environment, List.of(rows), template));
    return Files.readString(file).replaceAll("\\s+", " ");
  }

  private static Row change(String scenario, String change, double outageMs, double keyOutageMs) {
    return Row.of(scenario)
        .caseName(change)
        .path("event bus")
        .rounds(3)
        .column("moved", 11)
        .column("tookMs", 9_500)
        .column("outageMaxMs", outageMs)
        .column("keyOutageMaxMs", keyOutageMs)
        .column("lost", 0)
        .column("duplicated", 0)
        .verdict(Verdict.ok());
  }

  @Test
  void showsWhatEachChangeOfTheMembersCost() throws IOException {
    String report =
        published(
            change("rebalance", "join", 41, 230),
            change("rebalance", "leave", 52, 340),
            change("upgrade", "earlier build", 63, 450).column("from", "f77132d82"));

    assertThat(report)
        .contains(
            "sharded, one key: upgrade from f77132d82 450 ms, join 230 ms, leave 340 ms; lost 0")
        .contains("change rounds moved took ms")
        .containsPattern("join 3 11\\S* 9,500 (- )*41\\S* 230\\S* 0 0")
        .containsPattern("leave 3 11\\S* 9,500 (- )*52\\S* 340\\S* 0 0")
        .containsPattern("earlier build 3 11\\S* 9,500 (- )*63\\S* 450\\S* 0 0 f77132d82");
  }

  @Test
  void aRestartOfTheSameBuildIsNotCalledAnUpgrade() throws IOException {
    assertThat(published(change("upgrade", "same build", 63, 450).column("from", "this")))
        .contains("sharded, one key: restart of the same build 450 ms, join -, leave -; lost 0")
        .containsPattern("same build 3 11\\S* 9,500 (- )*63\\S* 450\\S* 0 0 this");
  }

  @Test
  void showsAlsoTheFaultsOfABackupOfBothAndWithAWitness() throws IOException {
    Map<String, Object> outage = Map.of("median", 204.0, "max", 1_008.0);
    String report =
        published(
            Row.of("failover")
                .caseName("witness-kill")
                .path("tcp")
                .rounds(5)
                .extra("outageMs", outage)
                .extra("takeoverMs", Map.of("median", 199.0))
                .extra("lost", 0)
                .extra("duplicated", 0)
                .extra("acceptedByOld", 0)
                .verdict(Verdict.ok()));

    assertThat(report).containsPattern("witness-kill tcp 5 204\\S* 1,008 199\\S* 0 0 0");
  }

  @Test
  void pageOneHasTheWorstGapAndTheLogsOfOthersAreThereIfTheyWereMeasured() throws IOException {
    Map<String, Object> outage = Map.of("median", 10_100.0, "max", 10_300.0);
    assertThat(
            published(
                Row.of("failover")
                    .caseName("backup-stop")
                    .path("tcp")
                    .extra("outageMs", outage)
                    .extra("lost", 3)
                    .extra("duplicated", 0)
                    .verdict(Verdict.fail("3 are lost")),
                Row.of("peer-logs")
                    .caseName("throughput")
                    .path("ratis")
                    .flush("os")
                    .verdict(Verdict.ok())))
        .contains("Failed failover backup-stop tcp: 3 are lost")
        .contains("worst: backup frozen 10.10 s! (10.30 s!), both killed - (-); lost 3!, twice 0!")
        .contains(
            "Replicated logs, 200 B, client outside, as many in flight as for the groups above")
        .contains("throughput ratis os");
  }
}
