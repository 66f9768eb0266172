package dev.weir.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.LimitOptions;
import org.junit.jupiter.api.Test;

class ConnectionProgressTest {
  private final LimitOptions limits =
      new LimitOptions().setHeaderTimeoutMs(100).setBodyTimeoutMs(200).setIdleTimeoutMs(300);
  private final ConnectionProgress progress = new ConnectionProgress(0);

  @Test
  void isIdleFromItsBeginningUntilTheFirstByte() {
    assertThat(at(300)).isNull();
    assertThat(at(301)).isEqualTo(Slowness.IDLE);
    progress.bytesCame(301);
    assertThat(at(302)).isNull();
  }

  @Test
  void mustSendItsHeadersInTimeHoweverOftenAByteComes() {
    for (int ms = 0; ms <= 100; ms += 10) {
      progress.bytesCame(ms);
    }
    assertThat(at(100)).isNull();
    assertThat(at(101)).isEqualTo(Slowness.HEADER);
  }

  @Test
  void mustSendItsBodyInTimeAfterItsHeaders() {
    progress.bytesCame(0);
    progress.headCame(50);
    progress.bytesCame(240);
    assertThat(at(250)).isNull();
    assertThat(at(251)).isEqualTo(Slowness.BODY);
  }

  @Test
  void mayTakeAsLongAsItLikesWhileItWaitsForAResponse() {
    progress.headCame(0);
    progress.bodyCame(0);
    assertThat(at(1_000_000)).isNull();
    progress.requestEnds(1_000_000);
    assertThat(at(1_000_300)).isNull();
    assertThat(at(1_000_301)).isEqualTo(Slowness.IDLE);
  }

  @Test
  void isNotBlamedForABodyThatIsNotReadHere() {
    progress.headCame(0);
    progress.bodyCame(0);
    progress.headCame(0);
    assertThat(at(1_000)).as("the first has no response yet").isNull();
    progress.requestEnds(1_000);
    assertThat(at(1_200)).isNull();
    progress.bodyMustWait(1_200);
    assertThat(at(1_400)).isNull();
    assertThat(at(1_401)).isEqualTo(Slowness.BODY);
  }

  @Test
  void mustSendTheBodyThoughItHasItsResponse() {
    progress.headCame(0);
    progress.requestEnds(10);
    assertThat(at(210)).isNull();
    assertThat(at(211)).isEqualTo(Slowness.BODY);
  }

  @Test
  void isIdleAsAWebSocketWhenNothingIsSentEitherWay() {
    progress.headCame(0);
    progress.bodyCame(0);
    progress.becomesWebSocket(0);
    progress.bytesCame(200);
    progress.frame(400);
    assertThat(at(700)).isNull();
    assertThat(at(701)).isEqualTo(Slowness.IDLE);
  }

  @Test
  void isIdleInHttp2WithoutARequestWhateverFramesCome() {
    progress.becomesHttp2(0);
    progress.requestBegins();
    assertThat(at(1_000)).isNull();
    progress.requestEnds(1_000);
    progress.bytesCame(1_200);
    assertThat(at(1_301)).isEqualTo(Slowness.IDLE);
  }

  private Slowness at(long nowMs) {
    return progress.slowness(nowMs, limits);
  }
}
