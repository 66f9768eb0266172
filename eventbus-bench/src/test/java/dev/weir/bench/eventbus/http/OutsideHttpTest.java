package dev.weir.bench.eventbus.http;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.Measurement;
import dev.weir.bench.Rounds;
import dev.weir.bench.eventbus.EventBusBench;
import dev.weir.bench.report.Progress;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Verdict;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
class OutsideHttpTest {
  @TempDir private Path directory;

  private List<JsonObject> rows(String... settings) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    List<String> args = new ArrayList<>(List.of("--scenario", "http-outside", "--forks", "1"));
    args.addAll(List.of("--out", directory.toString()));
    for (String setting : settings) {
      args.addAll(List.of("--set", setting));
    }
    assertThat(new EventBusBench().execute(out, out, args.toArray(String[]::new)))
        .as(bytes.toString(StandardCharsets.UTF_8))
        .isZero();
    JsonObject results = new JsonObject(Files.readString(directory.resolve("results.json")));
    return results.getJsonArray("rows").stream().map(JsonObject.class::cast).toList();
  }

  private static JsonObject round(long idleNs, long failed) {
    return new JsonObject()
        .put("requests", 1_000L)
        .put("failed", failed)
        .put("firstFailure", "HTTP/1.1 503")
        .put("elapsedNs", 1_000_000_000L)
        .put("idleNs", idleNs)
        .put("cpuNs", 300_000_000L)
        .put("serverCpuNs", 900_000_000L);
  }

  private static String verdict(long idleNs, long failed) throws Exception {
    JsonObject round = round(idleNs, failed);
    Measurement measurement =
        new Rounds(2, Progress.NONE).measure("test", () -> OutsideClient.result(round));
    Row row = measurement.addTo(Row.of("http-outside"));
    return OutsideClient.describe(row, List.of(round, round)).doubted().verdict().toString();
  }

  @Test
  void aClientThatHardlyWaitsForAnswersIsReportedAsTheBottleneck() throws Exception {
    // The machine may have doubts of its own, such as stolen time.
    assertThat(verdict(500_000_000, 0)).doesNotContain("FAIL", "client");
    assertThat(verdict(30_000_000, 0))
        .startsWith("SUSPECT: ")
        .contains("the client is the bottleneck: busy for 97 % of the time");
  }

  @Test
  void aClientThatTakesMuchCpuIsSuspectUnlessTheEventLoopHasAWholeOne() throws Exception {
    Row row = Row.of("http-outside").verdict(Verdict.ok());
    JsonObject busy = round(500_000_000, 0).put("cpuNs", 880_000_000L);
    assertThat(OutsideClient.describe(row, List.of(busy)).verdict())
        .hasToString("SUSPECT: the client took 88 % of a CPU, and the event loop only 90 %");

    row.verdict(Verdict.ok());
    JsonObject full = busy.put("serverCpuNs", 980_000_000L);
    assertThat(OutsideClient.describe(row, List.of(full)).verdict()).hasToString("OK");
  }

  @Test
  void aRequestThatWasNotAnsweredAsItShouldFailsTheRow() throws Exception {
    assertThat(verdict(500_000_000, 1)).startsWith("FAIL: warm-up: failed 1 (first: HTTP/1.1 503)");
  }

  /**
   * The client works 2 ms for each of its 64 connections before it waits again, so it waits only
   * for a server that takes longer than that for all of them.
   */
  @Test
  @Tag("slow")
  void aSlowClientIsReportedAsTheBottleneck() throws IOException {
    assertThat(rows("scale=0.05", "outside.burn.us=2000"))
        .hasSize(9)
        .extracting(row -> row.getString("verdict"))
        .allSatisfy(verdict -> assertThat(verdict).contains("the client is the bottleneck"));
  }

  @Test
  @Tag("slow")
  void everyAnswerAndEveryArrivalIsCounted() throws IOException {
    List<JsonObject> rows = rows("scale=0.05");

    assertThat(rows)
        .extracting(
            row -> Stream.of("case", "path", "body").map(row::getString).collect(joining(" ")))
        .containsExactly(
            "http1-one-way bare json",
            "http1-one-way gateway binary",
            "http1-one-way gateway json",
            "http1-one-way gateway-events binary",
            "http1-one-way documents json",
            "http1-two-way bare json",
            "http1-two-way gateway json",
            "websocket-one-way bare binary",
            "websocket-one-way gateway binary");
    assertThat(rows)
        .allSatisfy(
            row -> {
              assertThat(row.getString("verdict")).doesNotContain("FAIL");
              assertThat(row.getJsonObject("extra").getDouble("cpu us")).isPositive();
            });
    assertThat(rows)
        .filteredOn(row -> !row.getString("path").equals("bare"))
        .allSatisfy(
            row ->
                assertThat(row.getJsonObject("extra").getJsonObject("ratios").fieldNames())
                    .containsExactly("xBare", "xBareCpu"));
  }
}
