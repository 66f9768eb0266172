package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFilesTest {
  private static final String ID =
      "rpc_one-way_memory_buffer_payloadBytes74_inFlight10000_workers200_operations1000000";

  @TempDir private Path directory;

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static Row row() {
    return Samples.rpc().latency(Samples.latencies()).latency("service", Samples.latencies());
  }

  @Test
  void writesResultsAndAPercentileFileForEachLatency() throws IOException {
    new ResultFiles(directory).write(Samples.results(row()));
    assertThat(files())
        .containsExactly(
            HtmlReport.FILE_NAME,
            "results.csv",
            "results.json",
            ID + ".hgrm",
            ID + "_service.hgrm");
  }

  @Test
  void aFailedRowIsSeenInTheNameAndReplacesTheGoodOne() throws IOException {
    ResultFiles files = new ResultFiles(directory);
    files.write(Samples.results(row()));
    files.write(Samples.results(row().verdict(Verdict.fail("lost 1"))));
    assertThat(files())
        .contains(ID + ".hgrm.FAIL", ID + "_service.hgrm.FAIL")
        .doesNotContain(ID + ".hgrm");
  }

  @Test
  void resultsOfAnEarlierRunAreRemovedFirst() throws IOException {
    ResultFiles files = new ResultFiles(directory.resolve("."));
    files.write(Samples.results(Samples.rpc()));
    files.prepare();
    assertThat(files()).isEmpty();
  }
}
