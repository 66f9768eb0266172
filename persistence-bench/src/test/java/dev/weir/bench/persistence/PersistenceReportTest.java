package dev.weir.bench.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.env.Environment;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.BenchmarkReport;
import dev.weir.bench.report.Results;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
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

/** What the report shows beside the figures that others have published, and of peers. */
class PersistenceReportTest {
  @TempDir private Path directory;

  /** The report of these rows, each run of blanks as one. */
  private String published(Row... rows) throws IOException {
    List<String> template;
    try (InputStream in = PersistenceBench.class.getResourceAsStream("report.template")) {
      template = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    Environment environment =
        new Environment(
            "17", "Linux", 2, 1, "Parallel", "abc", Map.of(), "CPU", 1, List.of(), "disk");
    Path file = directory.resolve("BENCHMARK.txt");
    new BenchmarkReport(file)
        .publish(
            new Results(
                "persistence-bench", "full", Instant.EPOCH, environment, List.of(rows), template));
    return Files.readString(file).replaceAll("\\s+", " ");
  }

  private static Row documents(String work, double perSec) {
    return Row.of("documents")
        .caseName(work)
        .path("weir")
        .opsPerSec(Spread.of(perSec))
        .verdict(Verdict.ok());
  }

  @Test
  void theListOfXenonHasItsOrderItsFiguresAndOurs() throws IOException {
    String report =
        published(
            documents("put-memory in 4096 MiB", 1_500_000),
            documents("put-persisted in 64 MiB", 400_000)
                .and(Verdict.of(Verdict.Kind.UNSTABLE, "the best round is 1.50 times the worst")),
            documents("post-persisted in 4096 MiB", 150_000));

    assertThat(report)
        .containsSubsequence(
            "PUT in memory, in process, 4 GiB 1,000,000 1,500,000",
            "the same, 64 MiB 500,000 -",
            "PUT persisted, 4 GiB 250,000 -",
            "PUT persisted, 64 MiB 50,000 400,000~",
            "POST persisted, 4 GiB 30,000 150,000",
            "PUT on three nodes 8,000 see cluster-bench")
        .contains("worst row of documents 150,000/s (post-persisted in 4096 MiB)")
        .doesNotContain("=== peers");
  }

  @Test
  void aWriteOfEachShapeStandsBesideThatOfRumi() throws IOException {
    Recording recording = Recording.singleWriter();
    for (int i = 0; i < 100; i++) {
      recording.record(4_000);
    }
    assertThat(
            published(
                Row.of("loggers")
                    .caseName("store")
                    .path("je")
                    .flush("os")
                    .latency(recording)
                    .verdict(Verdict.ok())))
        .containsPattern("store 3-8 / 90-180 - / - (4|4\\.00|3\\.99\\d*) / - - / - ");
  }

  @Test
  void queuesAndDocumentsOfOthersAreThereIfTheyWereMeasured() throws IOException {
    assertThat(
            published(
                Row.of("peer-queues")
                    .caseName("append")
                    .path("artemis")
                    .flush("os")
                    .backlog(1_000)
                    .payloadBytes(256)
                    .opsPerSec(Spread.of(70_000))
                    .column("xWeir", 1.25)
                    .verdict(Verdict.ok())))
        .contains("Artemis, append os 256 B 0.80")
        .contains("=== peers: other systems, measured in the same run (-Ppeers) Queues")
        .contains("append artemis os 1,000 256 70,000 0 1.25")
        .doesNotContain("Documents: a process each");
  }
}
