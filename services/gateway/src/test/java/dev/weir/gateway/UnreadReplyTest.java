package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceOptions;
import dev.weir.flow.WeirOptions;
import dev.weir.options.HeapBudget;
import dev.weir.testing.Await;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients of HTTP/2 that do not take their replies, because their flow control window is too small.
 */
@Timeout(120)
class UnreadReplyTest extends GatewayTestBase {
  /** Bodies have an eighth of it, 2 MiB. */
  private static final long HEAP_BYTES = HeapBudget.MIN_HEAP_BYTES;

  private static final int BODY_BYTES = 400_000;

  /** What a stream of HTTP/2 counts besides its body and its path. */
  private static final int STREAM_BYTES = 6 << 10;

  private static final int MAX_FRAME_BYTES = 16_384;

  /** Enough that the server sends the headers of a reply, which it does not before any data. */
  private static final int WINDOW_BYTES = 1;

  private static final int SHORT_MS = 400;
  private static final int LONG_MS = 60_000;

  private final LimitOptions limits = new LimitOptions().setWriteTimeoutMs(LONG_MS);
  private final Map<RawHttp2, DefaultHttp2HeadersDecoder> decoders = new IdentityHashMap<>();
  private final List<AutoCloseable> clients = new CopyOnWriteArrayList<>();

  @Override
  GatewayOptions options() {
    return new GatewayOptions().setPort(0).setLimits(limits);
  }

  @Override
  WeirOptions weirOptions() {
    return super.weirOptions().setHeapBytes(HEAP_BYTES);
  }

  @AfterEach
  void disconnect() throws Exception {
    for (AutoCloseable client : clients) {
      client.close();
    }
  }

  private void restart() {
    stop();
    start();
  }

  private void serve() {
    ServiceOptions options = memoryOnly();
    Buffer much = Buffer.buffer(new byte[BODY_BYTES]);
    serve("much", options, message -> Future.succeededFuture(much));
    serve("echo", options, message -> Future.succeededFuture(message.body()));
  }

  private long heldBytes() {
    return gateway.guardStats().bodyBytesInFlight();
  }

  /** A client that takes a byte of each reply. */
  private RawHttp2 client() throws Exception {
    RawHttp2 client = new RawHttp2(gateway.port());
    clients.add(client);
    byte[] initialWindow = ByteBuffer.allocate(6).putShort((short) 4).putInt(WINDOW_BYTES).array();
    byte[] connectionWindow = ByteBuffer.allocate(4).putInt(100 * BODY_BYTES).array();
    return client
        .send(RawHttp2.SETTINGS, 0, 0, initialWindow)
        .send(RawHttp2.WINDOW_UPDATE, 0, 0, connectionWindow);
  }

  private static void ask(RawHttp2 client, int stream, String service, byte[] body)
      throws Exception {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(RawHttp2.header(":method", "POST"));
    block.writeBytes(RawHttp2.header(":scheme", "http"));
    block.writeBytes(RawHttp2.header(":path", "/services/" + service));
    block.writeBytes(RawHttp2.header(":authority", "localhost"));
    int end = body.length == 0 ? RawHttp2.END_STREAM : 0;
    client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | end, stream, block.toByteArray());
    for (int start = 0; start < body.length; start += MAX_FRAME_BYTES) {
      int next = Math.min(body.length, start + MAX_FRAME_BYTES);
      int flags = next == body.length ? RawHttp2.END_STREAM : 0;
      client.send(RawHttp2.DATA, flags, stream, Arrays.copyOfRange(body, start, next));
    }
  }

  /** The next frame of that type that is no SETTINGS frame or the like. */
  private static RawHttp2.Frame next(RawHttp2 client, int type) throws Exception {
    RawHttp2.Frame frame = client.next();
    while (frame != null && frame.type() != type) {
      frame = client.next();
    }
    assertThat(frame).as("a frame of type %d", type).isNotNull();
    return frame;
  }

  /** The status of the next reply; all of a client's, since headers refer to earlier ones. */
  private String status(RawHttp2 client) throws Exception {
    RawHttp2.Frame headers = next(client, RawHttp2.HEADERS);
    return decoders
        .computeIfAbsent(client, key -> new DefaultHttp2HeadersDecoder())
        .decodeHeaders(headers.stream(), Unpooled.wrappedBuffer(headers.block()))
        .status()
        .toString();
  }

  private int statusOfAnother(String service) {
    return send(post("/services/" + service, "text/plain", "x")).statusCode();
  }

  @Test
  void aReplyThatTheClientDoesNotTakeIsHeldForTheWriteTimeoutOnly() throws Exception {
    limits.setWriteTimeoutMs(SHORT_MS);
    restart();
    serve();
    RawHttp2 client = client();
    for (int stream = 1; stream < 7; stream += 2) {
      ask(client, stream, stream == 1 ? "much" : "echo", new byte[stream == 5 ? 10 : 30_000]);
    }
    Set<Integer> reset = new HashSet<>();
    while (reset.size() < 3) {
      reset.add(next(client, RawHttp2.RST_STREAM).stream());
    }
    assertThat(reset).containsExactlyInAnyOrder(1, 3, 5);
    Await.until("nothing is held", () -> heldBytes() == 0);
    Await.until("no request is left", () -> gateway.guardStats().requestsInFlight() == 0);
    assertThat(gateway.guardStats().writeTimeouts()).isEqualTo(3);
  }

  @Test
  void aClientThatTakesItsReplySlowlyGetsAllOfIt() throws Exception {
    Buffer much = Buffer.buffer();
    for (int i = 0; i < BODY_BYTES / Integer.BYTES; i++) {
      much.appendInt(i);
    }
    serve("much", memoryOnly(), message -> Future.succeededFuture(much));
    RawHttp2 client = client();
    ask(client, 1, "much", new byte[10]);
    assertThat(status(client)).isEqualTo("200");
    Buffer taken = Buffer.buffer();
    boolean ended = false;
    while (!ended) {
      for (int stream = 0; stream < 2; stream++) {
        client.send(
            RawHttp2.WINDOW_UPDATE, 0, stream, ByteBuffer.allocate(4).putInt(10_000).array());
      }
      for (int bytes = 0; bytes < 10_000 && !ended; ) {
        RawHttp2.Frame data = next(client, RawHttp2.DATA);
        taken.appendBytes(data.payload());
        bytes += data.payload().length;
        ended = (data.flags() & RawHttp2.END_STREAM) != 0;
      }
    }
    assertThat(taken).isEqualTo(much);
    Await.until("nothing is held", () -> heldBytes() == 0);
  }

  @Test
  void oneConnectionHoldsHalfOfTheBudgetAtMost() throws Exception {
    serve();
    RawHttp2 client = client();
    Map<String, Integer> answers = new HashMap<>();
    for (int stream = 1; stream < 12; stream += 2) {
      ask(client, stream, "much", new byte[10]);
      answers.merge(status(client), 1, Integer::sum);
    }

    assertThat(answers).isEqualTo(Map.of("200", 2, "503", 4));
    assertThat(statusOfAnother("much")).isEqualTo(200);
  }

  @Test
  void repliesThatNobodyTakesGoEarlierWhenOthersFindNoRoom() throws Exception {
    serve();
    for (int reply = 0; reply < 5; reply++) {
      RawHttp2 client = client();
      ask(client, 1, "much", new byte[10]);
      assertThat(status(client)).isEqualTo("200");
    }
    Await.until(
        () -> "the replies alone are held: " + heldBytes(),
        () -> heldBytes() == 5L * (BODY_BYTES + STREAM_BYTES + "/services/much".length()));
    assertThat(statusOfAnother("much")).isEqualTo(503);

    Await.until(
        "others have room before the write timeout",
        LONG_MS / 1000 - 5,
        () -> statusOfAnother("much") == 200);
  }

  @Test
  void aRequestIsInFlightUntilTheClientHasTakenTheReply() throws Exception {
    limits.setMaxRequestsInFlight(8);
    restart();
    serve();
    RawHttp2 client = client();
    for (int stream = 1; stream < 8; stream += 2) {
      ask(client, stream, "echo", new byte[10]);
      assertThat(status(client)).isEqualTo("200");
    }

    // Without a body: data of a stream that was refused ends the whole connection.
    ask(client, 9, "echo", new byte[0]);
    assertThat(next(client, RawHttp2.RST_STREAM).stream()).isEqualTo(9);
    assertThat(gateway.guardStats().requestsInFlight()).isEqualTo(4);
    assertThat(statusOfAnother("echo")).isEqualTo(200);
  }

  /** An eighth of those in flight have an answer with a body, for which there is no window. */
  @ParameterizedTest
  @ValueSource(ints = {0, 10})
  void manyRefusedRequestsAreAnsweredWithoutABodyAndKeepTheirConnection(int bodyBytes)
      throws Exception {
    // While room is short, replies that nobody takes go after a tenth of it.
    limits.setMaxRequestsInFlight(64).setWriteTimeoutMs(10 * LONG_MS);
    restart();
    serve("small", memoryOnly(), m -> Future.succeededFuture(Buffer.buffer("ok")));
    for (int other = 0; other < 2; other++) {
      RawHttp2 client = client();
      for (int request = 0; request < 32; request++) {
        ask(client, 1 + 2 * request, "small", new byte[0]);
        assertThat(status(client)).isEqualTo("200");
      }
    }

    RawHttp2 client = client();
    for (int request = 0; request < 20; request++) {
      ask(client, 1 + 2 * request, "small", new byte[bodyBytes]);
      RawHttp2.Frame answer = next(client, RawHttp2.HEADERS);
      boolean ends = (answer.flags() & RawHttp2.END_STREAM) != 0;
      assertThat(ends).as("%d is answered without a body", request).isEqualTo(request >= 8);
    }
    client.send(RawHttp2.PING, 0, 0, new byte[8]);
    next(client, RawHttp2.PING);
    assertThat(gateway.guardStats().requestsInFlight()).isEqualTo(64);
  }

  @Test
  void aBodyThatIsAnnouncedAndDoesNotComeHoldsNothing() throws Exception {
    serve();
    for (int n = 0; n < 10; n++) {
      RawClient client = new RawClient(gateway.port());
      clients.add(client);
      client.send(
          "POST /services/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
              + BODY_BYTES
              + "\r\n\r\nx");
    }
    Await.until("all have come", () -> heldBytes() == 10);

    assertThat(statusOfAnother("much")).isEqualTo(200);
  }

  @Test
  void aBodyIsNotHeldAnyMoreWhenItsReplyWaitsForTheClient() throws Exception {
    serve("small", memoryOnly(), m -> Future.succeededFuture(Buffer.buffer(new byte[2_000])));
    RawHttp2 client = client();
    ask(client, 1, "small", new byte[60_000]);
    assertThat(status(client)).isEqualTo("200");
    Await.until(
        "the reply alone is held",
        () -> heldBytes() == 2_000 + STREAM_BYTES + "/services/small".length());
  }
}
