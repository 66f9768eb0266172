package dev.weir.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FirstFramesTest {
  private final FirstFrames frames = new FirstFrames();

  private String passed(WebSocketFrame frame) {
    WebSocketFrame passed = frames.passed(frame);
    if (passed == null) {
      assertThat(frame.refCnt()).isZero();
      return null;
    }
    String kind = passed.getClass().getSimpleName().replace("WebSocketFrame", "");
    String text = passed.content().toString(StandardCharsets.US_ASCII);
    return kind + " " + text + (passed.isFinalFragment() ? "." : "");
  }

  private String begin(boolean text, boolean last, String content) {
    return passed(
        text
            ? new TextWebSocketFrame(last, 0, bytes(content))
            : new BinaryWebSocketFrame(last, 0, bytes(content)));
  }

  private String next(boolean last, String content) {
    return passed(new ContinuationWebSocketFrame(last, 0, bytes(content)));
  }

  private static ByteBuf bytes(String content) {
    return Unpooled.buffer().writeBytes(content.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void emptyFramesBeforeTheFirstByteOfAMessageAreRemoved() {
    assertThat(begin(true, false, "")).isNull();
    assertThat(next(false, "")).isNull();
    assertThat(passed(new PingWebSocketFrame(bytes("p")))).isEqualTo("Ping p.");
    assertThat(next(false, "a")).isEqualTo("Text a");
    assertThat(next(false, "")).isEqualTo("Continuation ");
    assertThat(next(true, "b")).isEqualTo("Continuation b.");
    assertThat(begin(false, false, "")).isNull();
    assertThat(next(true, "c")).isEqualTo("Binary c.");
  }

  @Test
  void anEmptyMessageIsPassedOn() {
    assertThat(begin(false, true, "")).isEqualTo("Binary .");
    assertThat(begin(true, false, "")).isNull();
    assertThat(next(true, "")).isEqualTo("Text .");
    assertThat(begin(true, false, "a")).isEqualTo("Text a");
    assertThat(next(true, "b")).isEqualTo("Continuation b.");
  }
}
