package dev.weir.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StrictRequestDecoderTest {
  private static final String HEAD = "POST /a HTTP/1.1\r\nHost: b\r\n";
  private static final String NEXT = "GET /b HTTP/1.1\r\nHost: b\r\n\r\n";

  /** What comes of bytes that come in two pieces: a "head" or a "part", with "!" if refused. */
  private static List<String> decode(String bytes, int split) {
    HttpServerOptions options = new HttpServerOptions();
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.pipeline().addLast("httpDecoder", new VertxHttpRequestDecoder(options));
    StrictRequestDecoder.install(channel.pipeline(), options, (byte) bytes.charAt(0));
    for (String piece : List.of(bytes.substring(0, split), bytes.substring(split))) {
      channel.writeInbound(Unpooled.copiedBuffer(piece, StandardCharsets.US_ASCII));
    }
    List<String> decoded = new ArrayList<>();
    for (HttpObject next = channel.readInbound(); next != null; next = channel.readInbound()) {
      String what = next instanceof HttpRequest ? "head" : "part";
      if (next.decoderResult().isFailure()) {
        decoded.add(what + "!");
      } else if (!(next instanceof HttpContent content) || content.content().isReadable()) {
        decoded.add(what);
      }
      ReferenceCountUtil.release(next);
    }
    channel.finishAndReleaseAll();
    return decoded;
  }

  @Test
  void nothingFollowsARefusedHeadWhereverTheBytesAreCut() {
    String first = HEAD + "Content-Length: 3\r\n\r\nabc";
    for (String refused :
        List.of(
            "Transfer-Encoding: x\r\n\r\n",
            "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
            "Content-Length: -1\r\n\r\n",
            "Content-Length: 3\r\nContent-Length: 4\r\n\r\n")) {
      String bytes = first + HEAD + refused + NEXT;
      for (int split = first.length(); split < bytes.length(); split++) {
        assertThat(decode(bytes, split))
            .as("%s cut at %d", refused.strip(), split)
            .containsExactly("head", "part", "head!");
      }
    }
  }
}
