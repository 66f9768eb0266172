package dev.weir.bench.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.env.Environment;
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

class EventBusReportTest {
  @TempDir private Path directory;

  private String published(Row row) throws IOException {
    List<String> template;
    try (InputStream in = EventBusBench.class.getResourceAsStream("report.template")) {
      template = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    Environment environment =
        new Environment(
            "17", "Linux", 2, 1, "Parallel", "abc", Map.of(), "CPU", 1, List.of(), "disk");
    Path file = directory.resolve("BENCHMARK.txt");
    new BenchmarkReport(file)
        .publish(
            new Results(
                "eventbus-bench", "quick", Instant.EPOCH, environment, List.of(row), template));
    return Files.readString(file).replaceAll("\\s+", " ");
  }

  @Test
  void pageOneNamesWhatIsSlowerThanTheBetterStoreOfMercuryThoughItIsFasterThanTheOther()
      throws IOException {
    Row row =
        Row.of("rpc")
            .caseName("one-way")
            .path("overflow-written")
            .body("buffer")
            .payloadBytes(10_071)
            .opsPerSec(new Spread(22_700, 22_700, 22_700))
            .extra("ratioToMercuryBdbMax", 1.29)
            .extra("ratioToMercuryBetterMax", 0.83)
            .verdict(Verdict.ok());

    assertThat(published(row))
        .contains("times Mercury's best: -, 0.83, -, - in this order")
        .contains("worst ratio (+ more rows below 1): Mercury, one-way 10 KB 0.83")
        .contains("1-way 10,071 B 10,504-12,376 22,700-22,700 22,700 1.29 0.83")
        .contains("measured before on 2 CPUs of Intel or AMD; not in this run");
  }
}
