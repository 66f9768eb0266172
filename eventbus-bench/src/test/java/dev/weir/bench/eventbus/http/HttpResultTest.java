package dev.weir.bench.eventbus.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.eventbus.http.LoopCpuTime.RequestCpu;
import dev.weir.bench.report.Spread;
import org.junit.jupiter.api.Test;

class HttpResultTest {
  private static final HttpCase STATE = HttpCase.states().get(0);

  private static HttpResult result(double bareMedian, double median) {
    HttpResult bare =
        new HttpResult(
            STATE, HttpPath.BARE, around(bareMedian), RequestCpu.of(20_000, 10_000, 1), null);
    return new HttpResult(
        STATE, HttpPath.GATEWAY, around(median), RequestCpu.of(20_000, 19_500, 1), bare);
  }

  private static Spread around(double median) {
    return new Spread(median - 1, median, median + 1);
  }

  @Test
  void saysWhichOfTheTwoBoundsIsTheHigherOne() {
    assertThat(result(50_000, 46_304).bound())
        .startsWith(
            "http1-one-way json of 330 bytes: 0.93 of bare, 2.0 times Xenon's median. 2 times that"
                + " median, 46,304/s, is more than 0.7 of the bare server in this run, 35,000/s.");
    assertThat(result(100_000, 80_000).bound()).contains("46,304/s, is less than 0.7 of");
  }
}
