package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.http.ProblemType;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a page of another origin can do, in a browser that lets it set few headers. */
class BrowserAccessTest extends GatewayTestBase {
  private static final String APP = "https://app.example";
  private static final String OTHER = "https://other.example";
  private static final String DATA = "data+/~0123456789abcdef==";
  private static final String METRICS = "metrics-0123456789abcdef";
  private static final String ADMIN = "admin-0123456789abcdef";

  private WebSocketClient sockets;

  @Override
  GatewayOptions options() {
    return super.options()
        .setHost("0.0.0.0")
        .setUnprotectedAllowed(true)
        .setCors(new CorsOptions().setOrigins(List.of(APP)).setHeaders(List.of("X-Mine")))
        .setTokens(
            new TokenOptions()
                .setReloadIntervalMs(0)
                .setDataTokensFile(file("data", DATA))
                .setAdminTokensFile(file("admin", ADMIN))
                .setMetricsTokensFile(file("metrics", METRICS)));
  }

  private String file(String kind, String token) {
    try {
      return Files.writeString(directory.resolve(kind + ".tokens"), token).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void serveEcho() {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
  }

  private HttpResponse<String> question(String path, String origin) {
    return send(
        to(path)
            .method("OPTIONS", BodyPublishers.noBody())
            .header("Origin", origin)
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "authorization,content-type")
            .build());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  // ---- CORS

  @Test
  void aPageOfANamedOriginMayCallServices() {
    serveEcho();
    HttpResponse<String> question = question("/services/echo", APP);
    assertThat(question.statusCode()).isEqualTo(204);
    assertThat(header(question, "access-control-allow-origin")).isEqualTo(APP);
    assertThat(header(question, "access-control-allow-methods")).isEqualTo("GET, POST");
    assertThat(header(question, "access-control-allow-headers"))
        .contains("authorization", "content-type", "idempotency-key", "x-request-id", "X-Mine");
    assertThat(header(question, "access-control-max-age")).isEqualTo("600");
    assertThat(header(question, "vary")).isEqualTo("origin");

    HttpResponse<String> reply =
        send(postJson("/services/echo", "1", "Origin", APP, "Authorization", "Bearer " + DATA));
    assertThat(reply.body()).isEqualTo("1");
    assertThat(header(reply, "access-control-allow-origin")).isEqualTo(APP);
    HttpResponse<String> refused = send(postJson("/services/echo", "1", "Origin", APP));
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(header(refused, "access-control-allow-origin"))
        .as("a problem is read too")
        .isEqualTo(APP);
  }

  @Test
  void aPageOfAnotherOriginIsToldNothing() {
    serveEcho();
    for (String origin :
        List.of(OTHER, "null", APP + ".evil.example", APP + ":444", "http://app.example")) {
      for (HttpResponse<String> answer :
          List.of(
              question("/services/echo", origin),
              send(
                  postJson(
                      "/services/echo",
                      "1",
                      "Origin",
                      origin,
                      "Authorization",
                      "Bearer " + DATA)))) {
        assertThat(answer.headers().map().keySet())
            .as(origin)
            .noneMatch(name -> name.startsWith("access-control"));
      }
    }
  }

  @Test
  void noPageOfAnotherOriginAdministers() {
    for (HttpResponse<String> answer :
        List.of(
            question("/admin/services", APP),
            send(
                to("/admin/services")
                    .header("Origin", APP)
                    .header("Authorization", "Bearer " + ADMIN)
                    .build()))) {
      assertThat(answer.headers().map().keySet())
          .noneMatch(name -> name.startsWith("access-control"));
    }
  }

  @Test
  void withoutTokensOnlyNamedOriginsMayCall() {
    serveEcho();
    with(
        super.options().setCors(new CorsOptions().setOrigins(List.of(APP, "*"))),
        () -> {
          assertThat(send(postJson("/services/echo", "1", "Origin", APP)).body()).isEqualTo("1");
          assertProblem(
              send(postJson("/services/echo", "1", "Origin", OTHER)), ProblemType.FORBIDDEN);
          assertThat(send(to("/metrics").header("Origin", APP).build()).statusCode())
              .isEqualTo(200);
          assertProblem(
              send(to("/metrics").header("Origin", OTHER).build()), ProblemType.FORBIDDEN);
        });
    with(
        super.options(),
        () -> {
          HttpResponse<String> answer = send(postJson("/services/echo", "1", "Origin", APP));
          assertProblem(answer, ProblemType.FORBIDDEN);
          assertThat(answer.headers().map()).doesNotContainKey("vary");
        });
  }

  private void with(GatewayOptions options, Runnable action) {
    Gateway usual = gateway;
    gateway = Futures.result("another gateway", Gateway.start(vertx, weir, options));
    try {
      action.run();
    } finally {
      Futures.result("the other gateway closes", gateway.close());
      gateway = usual;
    }
  }

  // ---- WebSockets

  private Future<WebSocket> connect(String path, String... protocols) {
    WebSocketConnectOptions options =
        new WebSocketConnectOptions().setHost("127.0.0.1").setPort(gateway.port()).setURI(path);
    List.of(protocols).forEach(options::addSubProtocol);
    // A client that nobody holds is closed, with its sockets.
    sockets = sockets == null ? vertx.createWebSocketClient() : sockets;
    return sockets.connect(options);
  }

  private static String protocol(String token) {
    return "weir.token."
        + Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(token.getBytes(StandardCharsets.US_ASCII));
  }

  private void assertWorks(WebSocket socket) {
    Promise<String> reply = Promise.promise();
    socket.textMessageHandler(reply::tryComplete);
    socket.writeTextMessage("{\"id\":1,\"body\":2}");
    assertThat(Futures.result("a reply", reply.future())).isEqualTo("{\"id\":1,\"body\":2}");
    Futures.result("it closes", socket.close());
  }

  private void assertRefused(Future<WebSocket> refused) {
    Throwable failure = Futures.failure("the socket", refused);
    assertThat(((UpgradeRejectedException) failure).getStatus()).isEqualTo(401);
  }

  @Test
  void aSocketHasItsTokenInASubprotocol() {
    serveEcho();
    WebSocket socket =
        Futures.result("a socket", connect("/services/echo/ws", "weir.v1", protocol(DATA)));
    assertThat(socket.subProtocol()).isEqualTo("weir.v1");
    assertWorks(socket);
    assertRefused(connect("/services/echo/ws", "weir.v1"));
    assertRefused(connect("/services/echo/ws", "weir.v1", protocol(METRICS + "x")));
    assertRefused(connect("/services/echo/ws", "weir.v1", protocol(DATA), protocol(DATA)));
    assertRefused(connect("/services/echo/ws", "weir.v1", "weir.token.!"));
    assertRefused(connect("/services/echo/ws", "weir.v1", protocol(DATA + "\r\nX: y")));
  }

  @Test
  void noLogShowsTheTokenOfASubprotocol() {
    serveEcho();
    try (LogCapture log = new LogCapture()) {
      connect("/services/echo/ws", protocol(DATA)).onComplete(done -> {});
      assertRefused(connect("/services/echo/ws", protocol(DATA) + "x"));
      assertThat(log.text()).doesNotContain(protocol(DATA)).doesNotContain(DATA);
    }
  }

  @Test
  void aCallHasNoTokenInASubprotocol() {
    serveEcho();
    HttpResponse<String> answer =
        send(postJson("/services/echo", "1", "Sec-WebSocket-Protocol", protocol(DATA)));
    assertProblem(answer, ProblemType.UNAUTHORIZED);
  }

  // ---- tickets

  @Test
  void aParameterThatEndsLikeATicketIsNone() {
    HttpRequest request =
        to("/metrics?myticket=7").header("Authorization", "Bearer " + METRICS).GET().build();
    assertThat(send(request).statusCode()).isEqualTo(200);
  }

  private String ticket(String token) {
    HttpResponse<String> answer =
        send(
            to("/tickets")
                .POST(BodyPublishers.noBody())
                .header("Authorization", "Bearer " + token)
                .build());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    assertThat(header(answer, "cache-control")).isEqualTo("no-store");
    return new JsonObject(answer.body()).getString("ticket");
  }

  @Test
  void aTicketOpensASocketOnce() {
    serveEcho();
    String path = "/services/echo/ws?ticket=" + ticket(DATA);
    assertWorks(Futures.result("a socket", connect(path, "weir.v1")));
    assertRefused(connect(path, "weir.v1"));
    assertRefused(connect("/services/echo/ws?ticket=", "weir.v1"));
  }

  @Test
  void aTicketThatCannotBeReadIsNone() throws Exception {
    for (String path : List.of("/services/echo/ws", "/metrics", "/dashboard/events")) {
      try (RawClient page = new RawClient(gateway.port())) {
        page.send("GET " + path + "?ticket=%zz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
        assertThat(page.line()).as(path).startsWith("HTTP/1.1 401 ");
      }
    }
  }

  @Test
  void aTicketOpensWhatItsTokenOpensAndNoMore() throws Exception {
    HttpResponse<InputStream> events =
        client.send(
            to("/dashboard/events?ticket=" + ticket(METRICS)).build(),
            BodyHandlers.ofInputStream());
    events.body().close();
    assertThat(events.statusCode()).isEqualTo(200);
    Throwable socket =
        Futures.failure("it", connect("/services/echo/ws?ticket=" + ticket(METRICS), "weir.v1"));
    assertThat(((UpgradeRejectedException) socket).getStatus()).isEqualTo(403);
    String admin = ticket(ADMIN);
    assertProblem(send(to("/admin/services?ticket=" + admin).build()), ProblemType.UNAUTHORIZED);
    assertProblem(
        send(postJson("/services/echo?ticket=" + ticket(DATA), "1")), ProblemType.UNAUTHORIZED);
  }

  @Test
  void aTicketEndsWithItsToken() throws Exception {
    String ticket = ticket(DATA);
    Files.writeString(directory.resolve("data.tokens"), "another-0123456789abcdef");
    assertThat(Futures.result("a reload", gateway.reload())).isTrue();
    assertRefused(connect("/services/echo/ws?ticket=" + ticket, "weir.v1"));
  }

  @Test
  void aClientHasAFewTicketsOnly() {
    for (int i = 0; i < 100; i++) {
      ticket(DATA);
    }
    assertProblem(
        send(
            to("/tickets")
                .POST(BodyPublishers.noBody())
                .header("Authorization", "Bearer " + DATA)
                .build()),
        ProblemType.BUSY);
    ticket(METRICS);
  }
}
