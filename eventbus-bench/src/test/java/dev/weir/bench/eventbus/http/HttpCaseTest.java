package dev.weir.bench.eventbus.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.Profile;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpCaseTest {

  @Test
  void theStateComesFirstOnEveryProtocol() {
    assertThat(HttpCase.all(Profile.QUICK).stream().limit(6).map(HttpCase::label))
        .containsExactly(
            "http1-one-way",
            "http1-two-way",
            "http2-one-way",
            "http2-two-way",
            "websocket-one-way",
            "websocket-two-way");
    assertThat(HttpCase.states()).allMatch(state -> state.bytes() == 330);
  }

  @Test
  void oneCaseIsThatOfTheOtherSystem() {
    assertThat(HttpCase.all(Profile.FULL).stream().filter(HttpCase::isXenons))
        .containsExactly(new HttpCase(HttpProtocol.HTTP1, HttpBody.JSON, false, 330));
  }

  @Test
  void theFourSizesAreThoseOfTheEventBusAndInTheFullProfile() {
    List<HttpCase> quick = HttpCase.all(Profile.QUICK);
    List<HttpCase> full = HttpCase.all(Profile.FULL);

    assertThat(quick).hasSize(6);
    // Both kinds of body: both ways over HTTP/1.1, one-way on the two others.
    assertThat(full).hasSize(6 + 2 * (8 + 4 + 4)).containsAll(quick);
    assertThat(
            full.stream()
                .filter(c -> c.protocol() == HttpProtocol.HTTP1 && !c.isState())
                .filter(c -> c.body() == HttpBody.JSON))
        .extracting(HttpCase::bytes)
        .containsExactly(74, 10_071, 100_073, 500_073, 71, 10_068, 100_070, 500_070);
  }
}
