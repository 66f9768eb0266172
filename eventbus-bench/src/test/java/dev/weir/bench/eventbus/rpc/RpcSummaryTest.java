package dev.weir.bench.eventbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.rpc.RpcResult.MercuryFigures;
import dev.weir.bench.report.Spread;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class RpcSummaryTest {
  private static final RpcCase SMALL = new RpcCase(false, 0);

  private static RpcResult result(RequestPath path, double median) {
    return new RpcResult(
        SMALL,
        path,
        Bodies.Kind.BUFFER,
        new Spread(median - 1, median, median + 1),
        median / 1_000_000,
        null);
  }

  @Test
  void tellsSpeedsAndComparesMedians() {
    List<String> lines =
        RpcSummary.lines(
            List.of(
                result(RequestPath.RAW_BUS, 1_000_000),
                result(RequestPath.OVERFLOW_WRITTEN, 325_950)));

    assertThat(lines)
        .contains(
            "One event is one request with its reply: messages moved are twice that.",
            "Small payload one-way of 74 bytes, overflow-written, buffer - min 325,949, median"
                + " 325,950, max 325,951 events/second",
            String.format(
                Locale.ROOT,
                "one-way 74 bytes, overflow-written, buffer: 0.33 of raw-bus, %.1f times Mercury's"
                    + " better maximum (%,d), %.1f times its Berkeley DB maximum (%,d)",
                325_950.0 / MercuryFigures.betterMax(SMALL),
                MercuryFigures.betterMax(SMALL),
                325_950.0 / MercuryFigures.bdbMax(SMALL),
                MercuryFigures.bdbMax(SMALL)));
    assertThat(lines).filteredOn(line -> line.contains("raw-bus, buffer: ")).isEmpty();
  }

  @Test
  void onlyEqualWorkIsComparedWithMercury() {
    List<String> lines =
        RpcSummary.lines(
            List.of(
                result(RequestPath.MEMORY, 900_000), result(RequestPath.OVERFLOW_ELIDED, 800_000)));

    assertThat(lines).noneMatch(line -> line.contains("times Mercury"));
  }

  @Test
  void theEightCasesHaveTheSizesOfTheWellKnownReport() {
    assertThat(RpcCase.all().stream().map(c -> c.label() + " " + c.bytes() + " " + c.inFlight()))
        .containsExactly(
            "one-way 74 10000",
            "one-way 10071 5000",
            "one-way 100073 1000",
            "one-way 500073 400",
            "two-way 71 10000",
            "two-way 10068 5000",
            "two-way 100070 1000",
            "two-way 500070 400");
  }
}
