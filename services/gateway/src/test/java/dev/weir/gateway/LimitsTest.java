package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.gateway.limits.ServerMaker;
import dev.weir.options.HeapBudget;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class LimitsTest extends GuardTestBase {
  private static final int BIG_BYTES = 32 << 20;
  private static final int SHORT_MS = 400;

  /** Long enough to connect and ask, or to go on reading, on a busy machine. */
  private static final int IDLE_MS = 8_000;

  static final String GET = "GET /ok HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String WAIT = "GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n";

  final LimitOptions limits = new LimitOptions();
  private final List<RoutingContext> waiting = new CopyOnWriteArrayList<>();
  Guard guard;
  int port;

  ServerMaker servers() {
    return ServerMaker.best();
  }

  @Test
  void refusesHeadersAndRequestLinesThatAreTooLong() throws Exception {
    serve();

    try (RawClient client = new RawClient(port)) {
      client.send("GET /ok HTTP/1.1\r\nX: " + "x".repeat(20_000) + "\r\n\r\n");
      assertThat(client.line()).endsWith("431 Request Header Fields Too Large");
      assertThat(client.rest())
          .containsIgnoringCase("connection: close")
          .contains("application/problem+json", "urn:weir:problem:headers-too-large", "16384");
    }
    try (RawClient client = new RawClient(port)) {
      client.send("GET /" + "x".repeat(10_000) + " HTTP/1.1\r\n\r\n");
      assertThat(client.line()).endsWith("414 Request-URI Too Long");
      assertThat(client.rest())
          .containsIgnoringCase("connection: close")
          .contains("application/problem+json", "urn:weir:problem:line-too-long", "8192");
    }
  }

  @Test
  @NeedsVertx50
  void closesConnectionsBeyondTheirNumber() throws Exception {
    limits.setMaxConnections(2);
    serve();

    try (RawClient first = new RawClient(port);
        RawClient second = new RawClient(port)) {
      assertThat(first.send(GET).line()).isEqualTo("HTTP/1.1 200 OK");
      until("both to be counted", () -> guard.stats().connections() == 2);
      try (RawClient third = new RawClient(port)) {
        assertThat(third.isClosed()).isTrue();
      }
      assertThat(second.send(GET).line()).isEqualTo("HTTP/1.1 200 OK");
    }
    until("all to be gone", () -> guard.stats().connections() == 0);
    assertThat(guard.stats().refusedConnections()).isEqualTo(1);
    try (RawClient next = new RawClient(port)) {
      assertThat(next.send(GET).line()).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  @Test
  @NeedsVertx50
  void closesConnectionsBeyondThoseOfAPeer() throws Exception {
    limits.setMaxConnectionsPerPeer(1);
    serve();

    try (RawClient first = new RawClient(port)) {
      assertThat(first.send(GET).line()).isEqualTo("HTTP/1.1 200 OK");
      try (RawClient second = new RawClient(port)) {
        assertThat(second.isClosed()).isTrue();
      }
    }
    until("the first to be gone", () -> guard.stats().connections() == 0);
    try (RawClient next = new RawClient(port)) {
      assertThat(next.send(GET).line()).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  @Test
  void answersWith503BeyondTheRequestsInFlight() throws Exception {
    limits.setMaxRequestsInFlight(1);
    serve();

    try (RawClient first = new RawClient(port);
        RawClient second = new RawClient(port)) {
      first.send(WAIT);
      until("the first to be in flight", () -> waiting.size() == 1);
      String answer = second.send(closing(GET)).rest();
      assertThat(answer)
          .startsWith("HTTP/1.1 503 Service Unavailable")
          .containsIgnoringCase("Retry-After: 1")
          .contains("application/problem+json");
      waiting.get(0).end();
      assertThat(first.line()).isEqualTo("HTTP/1.1 200 OK");
    }
    until("nothing to be in flight", () -> guard.stats().requestsInFlight() == 0);
    assertThat(guard.stats().rejectedRequests()).isEqualTo(1);
  }

  @Test
  void refusesABodyForWhoseAnnouncedLengthThereIsNoRoom() throws Exception {
    limits.setMaxBodyBytesInFlight(1024);
    serve();

    try (RawClient first = new RawClient(port);
        RawClient second = new RawClient(port)) {
      first.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1025\r\n\r\n");
      assertThat(first.line()).isEqualTo("HTTP/1.1 503 Service Unavailable");
      second.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n");
      second.send("x".repeat(1000));
      assertThat(second.line()).isEqualTo("HTTP/1.1 200 OK");
    }
    assertThat(guard.stats().rejectedRequests()).isEqualTo(1);
  }

  @Test
  void forgetsRequestsWhoseClientHasGone() throws Exception {
    serve();
    try (RawClient client = new RawClient(port)) {
      client.send(WAIT);
      until("the request", () -> guard.stats().requestsInFlight() == 1);
      client.reset();
    }
    until("the request to be forgotten", () -> guard.stats().requestsInFlight() == 0);
  }

  @Test
  @NeedsVertx50
  void closesOnAClientThatTricklesItsHeaders() throws Exception {
    limits.setHeaderTimeoutMs(SHORT_MS);
    serve();

    try (RawClient preface = new RawClient(port);
        RawClient client = new RawClient(port)) {
      preface.send("PRI * ");
      client.send("GET /ok HTTP/1.1\r\nHost: localhost\r\nX: x");
      assertThat(client.rest()).isEmpty();
      assertThat(preface.rest()).isEmpty();
    }
    assertThat(guard.stats().headerTimeouts()).isEqualTo(2);
  }

  @Test
  void closesOnAClientThatTricklesTheHeadersOfALaterRequest() throws Exception {
    limits.setHeaderTimeoutMs(SHORT_MS);
    serve();

    int clients = 0;
    boolean answered = false;
    while (!answered) {
      clients++;
      try (RawClient client = new RawClient(port)) {
        answered = isAnswered(client);
        if (answered) {
          until("the response to be complete", () -> guard.stats().requestsInFlight() == 0);
          client.send("GET /o");
          assertThat(client.isClosed()).isTrue();
        }
      }
    }
    assertThat(guard.stats().headerTimeouts()).isEqualTo(clients);
  }

  /** Its first headers may be late, too, on a machine that stands still. */
  private static boolean isAnswered(RawClient client) {
    try {
      return "HTTP/1.1 200 OK".equals(client.send(GET).line());
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void closesOnAClientThatTricklesItsBody() throws Exception {
    limits.setBodyTimeoutMs(SHORT_MS);
    serve();

    try (RawClient client = new RawClient(port)) {
      client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nx");
      assertThat(client.rest()).isEmpty();
    }
    assertThat(guard.stats().bodyTimeouts()).isEqualTo(1);
    until("nothing to be in flight", () -> guard.stats().requestsInFlight() == 0);
  }

  @Test
  void resetsAnHttp2StreamWhoseBodyDoesNotCome() throws Exception {
    limits.setBodyTimeoutMs(SHORT_MS);
    serve();
    var client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));

    HttpClientRequest request = await(client.request(HttpMethod.POST, port, "127.0.0.1", "/echo"));
    request.setChunked(true).write("x");

    assertThatThrownBy(() -> await(request.response())).hasMessageContaining("reset");
    until("nothing to be in flight", () -> guard.stats().requestsInFlight() == 0);
  }

  @Test
  @NeedsVertx50
  void closesOnAClientThatAsksNothing() throws Exception {
    limits.setIdleTimeoutMs(IDLE_MS);
    serve();

    // Each asks as soon as it is connected, for on a machine that stands still it is idle, too.
    try (RawClient waits = new RawClient(port).send(WAIT);
        RawClient served = new RawClient(port).send(GET);
        RawClient silent = new RawClient(port)) {
      assertThat(served.line()).isEqualTo("HTTP/1.1 200 OK");
      assertThat(silent.isClosed()).isTrue();
      assertThat(served.isClosed()).isTrue();
      waiting.get(0).end();
      assertThat(waits.line()).as("whoever waits for a response is not idle").contains("200");
    }
    assertThat(guard.stats().idleTimeouts()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void closesOnAClientThatDoesNotReadItsResponse() throws Exception {
    // The client that reads must not be taken for one that does not.
    limits.setWriteTimeoutMs(IDLE_MS);
    serve();

    try (RawClient client = new RawClient(port, 4096)) {
      client.send("GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n");
      until("the connection to be closed", () -> guard.stats().writeTimeouts() == 1);
      until("the connection to be gone", () -> guard.stats().connections() == 0);
    }
    try (RawClient client = new RawClient(port)) {
      client.send(closing("GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      assertThat(client.rest().length()).isGreaterThan(BIG_BYTES);
    }
  }

  @Test
  void closesAWebSocketThatIsSilentAndOneThatSendsTooMuch() throws Exception {
    limits.setIdleTimeoutMs(IDLE_MS);
    serve();

    try (RawClient silent = webSocket();
        RawClient loud = webSocket()) {
      loud.send(new byte[] {(byte) 0x82, (byte) 0xfe, 0x10, 0x00, 0, 0, 0, 0});
      loud.send(new byte[4096]);
      assertThat(loud.isClosed()).isTrue();
      assertThat(silent.isClosed()).isTrue();
    }
    until("nothing to be in flight", () -> guard.stats().requestsInFlight() == 0);
    until("all to be gone", () -> guard.stats().connections() == 0);
  }

  private RawClient webSocket() throws Exception {
    RawClient client = new RawClient(port);
    client.send(
        "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    assertThat(client.line()).startsWith("HTTP/1.1 101");
    return client;
  }

  private static String closing(String request) {
    return request.replace("Host: localhost", "Host: localhost\r\nConnection: close");
  }

  final void serve() throws Exception {
    guard =
        await(
            Guard.load(
                vertx,
                new GatewayOptions().setLimits(limits),
                HeapBudget.ofJvm(),
                Authentication.TOKENS,
                variable -> null));
    Router router = Router.router(vertx);
    guard.mount(router);
    router.get("/ok").handler(RoutingContext::end);
    router.get("/wait").handler(waiting::add);
    router.get("/big").handler(context -> context.end(Buffer.buffer(new byte[BIG_BYTES])));
    router.get("/ws").handler(context -> context.request().toWebSocket());
    router.post("/echo").handler(BodyHandler.create(false)).handler(this::echo);
    HttpServer server =
        await(
            guard
                .createServer(
                    servers(),
                    new HttpServerOptions()
                        .setHost("127.0.0.1")
                        .setPort(0)
                        .setMaxWebSocketFrameSize(1000))
                .requestHandler(router)
                .listen());
    guard.watch(server);
    port = server.actualPort();
  }

  private void echo(RoutingContext context) {
    context.end(context.body().buffer());
  }
}
