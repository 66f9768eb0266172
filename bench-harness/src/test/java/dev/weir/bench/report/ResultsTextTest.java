package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.verify.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultsTextTest {

  @Test
  void groupsRowsByScenarioUnderTheEnvironment() {
    Spread ops = new Spread(1_100_000, 1_250_000, 1_300_000);
    Row one = Row.of("rpc").workers(200).opsPerSec(ops).column("spilled", 17).verdict(Verdict.ok());
    Row two = Row.of("flood").caseName("x").verdict(Verdict.fail("lost 3"));
    List<String> lines = new ArrayList<>(ResultsText.header(Samples.results()));
    lines.addAll(
        ResultsText.group("rpc", new ScenarioText("requests", List.of("a note")), List.of(one)));
    lines.addAll(ResultsText.group("flood", ScenarioText.NONE, List.of(two)));
    assertThat(String.join("\n", lines) + "\n")
        .isEqualTo(
            """
            Run: quick profile, started 2026-01-02T03:04:05Z, commit abc123
            Machine: 2 CPUs (Some CPU), 4,096 MiB memory, Linux 6 amd64
            JVM: 17.0.1 (Some), collector Parallel, heap up to 1,024 MiB, flags: -Xmx1g
            Versions: je=18, vertx=5.0.10

            rpc: requests

            workers      min/s   median/s      max/s  spilled  verdict
            -------  ---------  ---------  ---------  -------  -------
                200  1,100,000  1,250,000  1,300,000       17  OK

            a note

            flood

            case  verdict
            ----  -------
            x     FAIL
            scenario=flood case=x -> FAIL: lost 3
            """);
  }

  @Test
  void noLineIsWiderThanATerminalAndNoDisclosureIsDropped() {
    Row row =
        Samples.rpc()
            .latency(Samples.latencies())
            .extra("jitterUs", Map.of("p99", 1.5))
            .column("aColumnThatTakesALotOfRoom", 1)
            .column("spilled%", 89.4)
            .verdict(Verdict.fail("a very long reason ".repeat(30)));
    String text =
        String.join(
            "\n",
            ResultsText.group(
                "rpc", new ScenarioText("word ".repeat(80), List.of()), List.of(row)));
    assertThat(text.lines()).allMatch(line -> line.length() <= ResultsText.MAX_WIDTH);
    assertThat(text)
        .contains("median/s", "p50 us", "p99.9 us", "verdict")
        .contains("aColumnThatTakesALotOfRoom", "spilled%", "89.4");
  }

  @Test
  void aDisclosureIsShownEvenWhereTheTableIsTooWide() {
    Row row = Samples.rpc().column("x".repeat(ResultsText.MAX_WIDTH), 1).column("JE%", 3.5);
    assertThat(ScenarioTable.lines(List.of(row), ResultsText.MAX_WIDTH).get(0))
        .contains("x".repeat(ResultsText.MAX_WIDTH), "JE%");
  }
}
