package dev.weir.gateway.vertx50;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.limits.HeadBytes;
import dev.weir.gateway.limits.RequestDecoder;
import dev.weir.options.ByteBudget;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StrictRequestDecoderTest {
  private static final String HEAD = "POST /a HTTP/1.1\r\nHost: b\r\n";
  private static final String NEXT = "GET /b HTTP/1.1\r\nHost: b\r\n\r\n";

  /** The client of a connection. */
  private static final class Client implements RequestDecoder.Sender {
    final ByteBudget budget;
    final HeadBytes heads;
    boolean mustWait;

    Client(long headBytes) {
      budget = new ByteBudget(headBytes);
      heads = new HeadBytes(budget);
    }

    @Override
    public boolean mustWait() {
      return mustWait;
    }

    @Override
    public HeadBytes heads() {
      return heads;
    }
  }

  private final EmbeddedChannel channel = new EmbeddedChannel();

  private static StrictRequestDecoder install(EmbeddedChannel channel, Client client) {
    HttpServerOptions options = new HttpServerOptions();
    channel.pipeline().addLast("httpDecoder", new VertxHttpRequestDecoder(options));
    return StrictRequestDecoder.install(channel.pipeline(), options, client, (byte) 'P');
  }

  private static void send(EmbeddedChannel channel, String piece) {
    channel.writeInbound(Unpooled.copiedBuffer(piece, StandardCharsets.US_ASCII));
  }

  /** What comes of bytes that come in two pieces: a "head" or a "part", with "!" if refused. */
  private static List<String> decode(String bytes, int split) {
    EmbeddedChannel channel = new EmbeddedChannel();
    install(channel, new Client(0));
    for (String piece : List.of(bytes.substring(0, split), bytes.substring(split))) {
      send(channel, piece);
    }
    List<String> decoded = decoded(channel);
    channel.finishAndReleaseAll();
    return decoded;
  }

  private static List<String> decoded(EmbeddedChannel channel) {
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
    return decoded;
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  @Test
  void aHeadForWhichThereIsNoRoomIsRefusedBeforeItsEnd() {
    Client client = new Client(20_000);
    install(channel, client);
    send(channel, HEAD + "a:b\r\n".repeat(20));
    assertThat(client.budget.usedBytes()).as("of a small head").isZero();
    send(channel, "a:b\r\n".repeat(80));
    assertThat(client.budget.usedBytes()).isGreaterThan(16_000);
    assertThat(decoded(channel)).isEmpty();
    send(channel, "a:b\r\n".repeat(80));
    assertThat(decoded(channel)).containsExactly("head!");
    client.heads.release();
    assertThat(client.budget.usedBytes()).isZero();
  }

  @Test
  void aHeadIsHeldUntilItsRequestIsAnswered() {
    Client client = new Client(100_000);
    install(channel, client);
    String small = HEAD + "Content-Length: 0\r\n\r\n";
    send(channel, small + HEAD + "a:b\r\n".repeat(100) + "Content-Length: 0\r\n\r\n" + small);
    assertThat(decoded(channel)).containsExactly("head", "head", "head");
    client.heads.answered();
    assertThat(client.budget.usedBytes()).as("the second is not answered").isPositive();
    client.heads.answered();
    assertThat(client.budget.usedBytes()).isZero();
  }

  @Test
  void trailersForWhichThereIsNoRoomAreRefused() {
    install(channel, new Client(0));
    send(channel, HEAD + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n");
    send(channel, "a:b\r\n".repeat(20));
    assertThat(decoded(channel)).containsExactly("head", "part");
    send(channel, "a:b\r\n".repeat(80));
    assertThat(decoded(channel)).containsExactly("part!");
  }

  @Test
  void theNextRequestWaitsForAClientThatDoesNotTakeItsAnswers() throws Exception {
    Client client = new Client(0);
    StrictRequestDecoder decoder = install(channel, client);
    send(channel, HEAD + "Content-Length: 3\r\n\r\na");
    client.mustWait = true;
    send(channel, "bc" + NEXT + NEXT);
    assertThat(decoded(channel))
        .as("a body is read to its end")
        .containsExactly("head", "part", "part");
    assertThat(decoder.isWaiting()).isTrue();
    client.mustWait = false;
    decoder.readOn();
    assertThat(decoded(channel)).containsExactly("head", "head");
    assertThat(decoder.isWaiting()).isFalse();
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
