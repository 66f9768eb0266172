package dev.weir.bench.eventbus.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.eventbus.http.LoopCpuTime.RequestCpu;
import dev.weir.bench.report.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpSummaryTest {
  private static final HttpCase STATE = HttpCase.states().get(0);

  private static List<String> lines(HttpCase httpCase, double bareMedian, double median) {
    HttpResult bare =
        new HttpResult(
            httpCase, HttpPath.BARE, around(bareMedian), RequestCpu.of(20_000, 10_000, 1), null);
    HttpResult gateway =
        new HttpResult(
            httpCase, HttpPath.GATEWAY, around(median), RequestCpu.of(20_000, 19_500, 1), bare);
    return HttpSummary.lines(List.of(bare, gateway));
  }

  private static Spread around(double median) {
    return new Spread(median - 1, median, median + 1);
  }

  @Test
  void comparesTheGatewayWithTheBareServer() {
    assertThat(lines(STATE, 50_000, 40_000).get(3).trim().split(" +"))
        .containsExactly(
            "http1-one-way", "json", "330", "50,000", "40,000", "0.80", "10.0", "19.5", "23,152");
  }

  @Test
  void saysWhichOfTheTwoBoundsIsTheHigherOne() {
    assertThat(lines(STATE, 50_000, 46_304).get(4))
        .startsWith(
            "http1-one-way json of 330 bytes: 0.93 of bare, 2.0 times Xenon's median. 2 times that"
                + " median, 46,304/s, is more than 0.7 of the bare server in this run, 35,000/s.");
    assertThat(lines(STATE, 100_000, 80_000).get(4)).contains("46,304/s, is less than 0.7 of");
  }

  @Test
  void comparesWithTheOtherSystemOnlyWhatBothHaveMeasured() {
    HttpCase binary = new HttpCase(HttpProtocol.HTTP1, HttpBody.BINARY, false, 330);

    assertThat(lines(binary, 50_000, 40_000)).hasSize(4).noneMatch(line -> line.contains("Xenon"));
  }
}
