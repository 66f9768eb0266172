package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
  @TempDir private Path directory;

  /** A row of each kind that a chart is made of. */
  static Results results() {
    return Samples.results(
        pool(74, 400_000),
        pool(10_071, 150_000).and(Verdict.of(Verdict.Kind.UNSTABLE, "</script> differ")),
        paced(5_000),
        paced(20_000),
        Row.of("failover")
            .caseName("kill")
            .path("tcp")
            .timeline(100, new int[] {1000, 0, 0, 900}, List.of("0.120 kill -9", "0.310 primary"))
            .verdict(Verdict.ok()));
  }

  private static Row pool(int bytes, double perSec) {
    return Samples.rpc().payloadBytes(bytes).opsPerSec(Spread.of(perSec, perSec, perSec + 1));
  }

  private static Row paced(int perSec) {
    return Row.of("latency")
        .caseName(perSec + "-per-s")
        .path("memory")
        .latency(Samples.latencies())
        .extra("loop", RoundResult.OPEN)
        .extra("targetPerSec", perSec)
        .verdict(Verdict.ok());
  }

  private List<Chart> charts() throws IOException {
    new ResultFiles(directory).write(results());
    return Charts.of(PublishedRun.read(directory.resolve(ResultFiles.JSON)));
  }

  @Test
  void drawsWhatTheRowsAllow() throws IOException {
    assertThat(charts())
        .extracting(Chart::title)
        .containsExactly(
            "rpc: Throughput by payload",
            "latency: Response times against rate",
            "latency: Response times by percentile",
            "failover: Replies over time: kill tcp");
  }

  @Test
  void aLineHasTheRowsThatDifferInPayloadOrRateOnly() throws IOException {
    assertThat(charts().get(0).lines())
        .extracting(Chart.Line::points)
        .containsExactly(List.of(List.of(74.0, 400_000.0), List.of(10_071.0, 150_000.0)));
    assertThat(charts().get(1).lines())
        .extracting(Chart.Line::name)
        .containsExactly("memory p50", "memory p99");
  }

  @Test
  void aCurveEndsWhereTheValuesBecomeTooFew() throws IOException {
    List<List<Double>> points = charts().get(2).lines().get(0).points();
    assertThat(points.get(points.size() - 1).get(0)).as("1 / (1 - 0.999)").isBetween(999.0, 1001.0);
  }

  @Test
  void aTimelineIsInSecondsWithItsEvents() throws IOException {
    Chart chart = charts().get(3);
    assertThat(chart.lines().get(0).points()).startsWith(List.of(0.0, 10_000.0), List.of(0.1, 0.0));
    assertThat(chart.lines().get(1).events()).containsExactly("kill -9", "primary");
  }

  @Test
  void thePageLoadsNothingAndNoTextOfARowBecomesMarkup() throws IOException {
    new ResultFiles(directory).write(results());
    String page = Files.readString(directory.resolve(HtmlReport.FILE_NAME));
    assertThat(page).doesNotContain("{{", " src=", "@import", "</script> differ");
    assertThat(page).contains("default-src 'none'", "<td>UNSTABLE</td>");
    assertThat(page.split("</script>")).as("data, library and script").hasSize(4);
  }
}
