package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.options.HeapBudget;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients send on any protocol is taken from one budget of the node, before it is held. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BodyBudgetTest {
  /** Bodies have an eighth of it, 2 MiB, and one has 512 KiB at most. */
  private static final long HEAP_BYTES = HeapBudget.MIN_HEAP_BYTES;

  private static final int BODY_BYTES = 400_000;
  private static final int STREAMS = 100;

  /** A small heap has room for less than {@value #STREAMS} streams on one. */
  private static final int MAX_CONNECTIONS = 4;

  /** What a stream of HTTP/2 counts besides its body and its path. */
  private static final int STREAM_BYTES = 6 << 10;

  private static final int LONG_MS = 60_000;

  private final Vertx vertx = Vertx.vertx();
  private final Weir weir = Weir.create(vertx, new WeirOptions().setHeapBytes(HEAP_BYTES));
  private final Queue<Promise<Object>> unanswered = new ConcurrentLinkedQueue<>();

  /** Held, because a client that nobody holds is closed. */
  private final WebSocketClient sockets = vertx.createWebSocketClient();

  private HttpClient client;
  private Gateway gateway;

  private void listen(int bodyTimeoutMs) {
    gateway =
        Futures.result(
            "the gateway starts",
            Gateway.start(
                vertx,
                weir,
                new GatewayOptions()
                    .setPort(0)
                    .setTimeoutMs(LONG_MS)
                    .setLimits(new LimitOptions().setBodyTimeoutMs(bodyTimeoutMs))));
  }

  /** With another time for bodies than the long one. */
  private void listenAgain(int bodyTimeoutMs) {
    Futures.result("the gateway closes", gateway.close());
    listen(bodyTimeoutMs);
  }

  @BeforeEach
  void start() {
    listen(LONG_MS);
    ServiceOptions options = new ServiceOptions();
    Futures.result(
        "echo", weir.serve("echo", options, message -> Future.succeededFuture(message.body())));
    Futures.result(
        "held",
        weir.serve(
            "held",
            options,
            message -> {
              Promise<Object> reply = Promise.promise();
              unanswered.add(reply);
              return reply.future();
            }));
  }

  @AfterEach
  void stop() {
    Futures.result("the gateway closes", gateway.close());
    Futures.result("vert.x closes", vertx.close());
  }

  private HttpClient client(HttpVersion version) {
    client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(version)
                .setHttp2ClearTextUpgrade(false)
                .setDefaultHost("127.0.0.1")
                .setDefaultPort(gateway.port()),
            new PoolOptions().setHttp1MaxSize(STREAMS).setHttp2MaxSize(MAX_CONNECTIONS));
    return client;
  }

  private static HttpClientRequest request(HttpClient client, String service) {
    return Futures.result("request", client.request(HttpMethod.POST, "/services/" + service));
  }

  private static int status(HttpClient client, String service, Buffer body) {
    return Futures.result("response", request(client, service).send(body).map(r -> r.statusCode()));
  }

  private static Buffer body() {
    return Buffer.buffer(new byte[BODY_BYTES]);
  }

  private long heldBytes() {
    return gateway.guardStats().bodyBytesInFlight();
  }

  @Test
  void openStreamsWithoutContentLengthCountOnlyWhatHasCome() {
    HttpClient client = client(HttpVersion.HTTP_2);
    List<HttpClientRequest> open = new ArrayList<>();
    for (int i = 0; i < STREAMS; i++) {
      HttpClientRequest request = request(client, "echo").setChunked(true);
      Futures.result("a byte is sent", request.write(Buffer.buffer("x")));
      open.add(request);
    }
    Await.until(
        "all bytes have come",
        () -> heldBytes() == STREAMS * (1L + STREAM_BYTES + "/services/echo".length()));

    assertThat(status(client, "echo", body())).isEqualTo(200);
    open.forEach(HttpClientRequest::end);
    open.forEach(
        request ->
            assertThat(Futures.result("response", request.response()).statusCode()).isEqualTo(200));
    Await.until("nothing is held", () -> heldBytes() == 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBodyForWhichThereIsNoRoomIsRefusedWhetherItsLengthIsAnnouncedOrNot(boolean announced) {
    HttpClient client = client(HttpVersion.HTTP_1_1);
    List<HttpClientRequest> held = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      HttpClientRequest request = request(client, "held");
      request.send(body());
      held.add(request);
    }
    Await.until("five are held", () -> heldBytes() == 5 * BODY_BYTES);

    HttpClientRequest next = request(client, "echo").setChunked(!announced);
    assertThat(Futures.result("response", next.send(body())).statusCode()).isEqualTo(503);
    unanswered.forEach(reply -> reply.complete("done"));
    held.forEach(request -> Futures.result("response", request.response()));
    Await.until("nothing is held", () -> heldBytes() == 0);
    assertThat(status(client, "echo", body())).isEqualTo(200);
  }

  /** A client that is told of too little room tries again, which is in vain here. */
  @ParameterizedTest
  @ValueSource(ints = {600_000, 2_000_000})
  void aBodyThatIsTooLongIsRefusedForThatAlsoWhileThereIsNoRoom(int bytes) {
    HttpClient client = client(HttpVersion.HTTP_1_1);
    List<HttpClientRequest> held = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      HttpClientRequest request = request(client, "held");
      request.send(body());
      held.add(request);
    }
    Await.until("five are held", () -> heldBytes() == 5 * BODY_BYTES);

    assertThat(status(client, "echo", Buffer.buffer(new byte[bytes]))).isEqualTo(413);
    unanswered.forEach(reply -> reply.complete("done"));
    held.forEach(request -> Futures.result("response", request.response()));
    Await.until("nothing is held", () -> heldBytes() == 0);
  }

  @Test
  void aBodyLongerThanAllBodiesTogetherMayBeIsTooLarge() {
    Futures.result("the gateway closes", gateway.close());
    gateway =
        Futures.result(
            "the gateway starts",
            Gateway.start(
                vertx,
                weir,
                new GatewayOptions()
                    .setPort(0)
                    .setLimits(new LimitOptions().setMaxBodyBytesInFlight(1_024))));
    HttpClient client = client(HttpVersion.HTTP_1_1);
    assertThat(status(client, "echo", Buffer.buffer(new byte[1_024]))).isEqualTo(200);
    assertThat(status(client, "echo", Buffer.buffer(new byte[1_025]))).isEqualTo(413);
    // Text counts two bytes more for each of its bytes: 1,200 in all.
    HttpClientRequest text = request(client, "echo").putHeader("Content-Type", "text/plain");
    assertThat(Futures.result("response", text.send(Buffer.buffer(new byte[400]))).statusCode())
        .isEqualTo(413);
  }

  @Test
  void aBodyThatTheHeapCannotCarryIsTooLarge() {
    assertThat(status(client(HttpVersion.HTTP_1_1), "echo", Buffer.buffer(new byte[600_000])))
        .isEqualTo(413);
  }

  @Test
  void jsonCountsWhatItIsDecoded() {
    Buffer json = Buffer.buffer("[" + "{},".repeat(100_000) + "{}]");
    HttpClientRequest request = request(client(HttpVersion.HTTP_1_1), "echo");
    request.putHeader("Content-Type", "application/json");

    assertThat(Futures.result("response", request.send(json)).statusCode()).isEqualTo(413);
    Await.until("nothing is held", () -> heldBytes() == 0);
  }

  @Test
  void aReplyForWhichThereIsNoRoomIsRefused() {
    Futures.result(
        "serving",
        weir.serve(
            "much",
            new ServiceOptions(),
            message -> Future.succeededFuture(Buffer.buffer(new byte[3 << 20]))));

    assertThat(status(client(HttpVersion.HTTP_1_1), "much", Buffer.buffer("x"))).isEqualTo(503);
    Await.until("nothing is held", () -> heldBytes() == 0);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void aReplyForAClientThatIsGoneIsNotHeld(HttpVersion version) {
    HttpClient client = client(version);
    HttpClientRequest request = request(client, "held");
    request.send(body());
    Await.until("it is handled", () -> unanswered.size() == 1);
    Futures.result("the client leaves", request.connection().close());
    Await.until("its connection is gone", () -> gateway.guardStats().connections() == 0);

    unanswered.remove().complete(body());
    Await.until("it is answered", () -> gateway.inFlight() == 0);
    Await.until("the request has ended", () -> gateway.guardStats().requestsInFlight() == 0);
    Await.until("nothing is held", () -> heldBytes() == 0);
  }

  @Test
  void requestsOnAWebSocketCountUntilTheyAreAnsweredAndFindRoomOrARefusal() {
    WebSocket socket =
        Futures.result(
            "the socket opens", sockets.connect(gateway.port(), "127.0.0.1", "/services/held/ws"));
    List<JsonObject> replies = new CopyOnWriteArrayList<>();
    socket.textMessageHandler(text -> replies.add(new JsonObject(text)));
    for (int i = 0; i < 8; i++) {
      byte[] head = new JsonObject().put("id", i).toBuffer().getBytes();
      socket.writeBinaryMessage(
          Buffer.buffer()
              .appendUnsignedShort(head.length)
              .appendBytes(head)
              .appendBytes(new byte[BODY_BYTES]));
    }

    // A connection has half of the budget at most.
    Await.until("one is handled", () -> unanswered.size() == 1);
    assertThat(heldBytes()).isBetween(2L * BODY_BYTES, 3L * BODY_BYTES);
    while (replies.size() < 8) {
      Await.until("the next is handled", () -> !unanswered.isEmpty() || replies.size() == 8);
      for (Promise<Object> reply = unanswered.poll(); reply != null; reply = unanswered.poll()) {
        reply.complete("done");
      }
    }
    Await.until("nothing is held", () -> heldBytes() == 0);
    assertThat(replies)
        .extracting(reply -> reply.getInteger("id"))
        .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(replies).allMatch(BodyBudgetTest::isDoneOrRefused);
    assertThat(replies).filteredOn(reply -> reply.containsKey("body")).hasSizeGreaterThan(1);
  }

  private static boolean isDoneOrRefused(JsonObject reply) {
    JsonObject problem = reply.getJsonObject("problem");
    return problem == null || problem.getInteger("status") == 503;
  }

  @Test
  void aSocketWhoseMessageFindsNoRoomInTheTimeForABodyIsClosedWithTryAgain() throws Exception {
    listenAgain(5_000);
    List<RawClient> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 5; i++) {
        RawClient socket = webSocket();
        sockets.add(socket);
        socket.send(frameHeader(BODY_BYTES + 1));
        socket.send(new byte[BODY_BYTES]);
      }
      Await.until("the parts are held", () -> heldBytes() > 5 * BODY_BYTES);
      try (RawClient last = webSocket()) {
        last.send(frameHeader(BODY_BYTES + 1));
        last.send(new byte[BODY_BYTES]);
        assertThat(last.brings("\u0003\u00f5")).isTrue();
      }
    } finally {
      for (RawClient socket : sockets) {
        socket.close();
      }
    }
    Await.until("nothing is held", () -> heldBytes() == 0);
  }

  @Test
  void aSocketWhoseLargeMessageDoesNotEndInTheTimeForABodyIsClosedWithTryAgain() throws Exception {
    listenAgain(500);
    try (RawClient socket = webSocket()) {
      socket.send(frameHeader(BODY_BYTES));
      socket.send(new byte[BODY_BYTES / 2]);
      assertThat(socket.brings("\u0003\u00f5")).isTrue();
    }
    Await.until("nothing is held", () -> heldBytes() == 0);
  }

  @Test
  void aSocketWhoseMessageIsTooLongOverManyFramesIsClosed() throws Exception {
    try (RawClient socket = webSocket()) {
      byte[] first = frameHeader(BODY_BYTES);
      first[0] = 0x02;
      socket.send(first);
      socket.send(new byte[BODY_BYTES]);
      byte[] next = frameHeader(BODY_BYTES);
      next[0] = 0x00;
      socket.send(next);
      socket.send(new byte[BODY_BYTES]);
      assertThat(socket.brings("\u0003\u00f1")).isTrue();
    }
    Await.until("nothing is held", () -> heldBytes() == 0);
  }

  private RawClient webSocket() throws Exception {
    RawClient client = new RawClient(gateway.port());
    client.send(
        "GET /services/held/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    assertThat(client.line()).startsWith("HTTP/1.1 101");
    return client;
  }

  /** Of a binary message in one masked frame. */
  private static byte[] frameHeader(int payloadBytes) {
    return Buffer.buffer()
        .appendByte((byte) 0x82)
        .appendByte((byte) 0xff)
        .appendLong(payloadBytes)
        .appendInt(0)
        .getBytes();
  }
}
