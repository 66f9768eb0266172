package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceOptions;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.LoggedLines;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AccessLogTest extends GatewayTestBase {
  private static final String TOKEN = "a-token-that-nobody-may-read-in-a-log";

  private final LoggedLines log = LoggedLines.of("dev.weir.gateway.access", Level.INFO);
  private final Queue<String> lines = log.lines();

  @Override
  GatewayOptions options() {
    try {
      Path tokens = Files.writeString(directory.resolve("tokens"), "ann:" + TOKEN + "\n");
      return super.options()
          .setManagementPort(0)
          .setTokens(new TokenOptions().setDataTokensFile(tokens.toString()))
          .setAccessLog(AccessLogFormat.JSON);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void stopListening() {
    log.close();
  }

  private JsonObject line() {
    Await.until("a line is logged", () -> !lines.isEmpty());
    return new JsonObject(lines.remove());
  }

  @Test
  void eachRequestIsALineWithWhoWhatAndHowLong() {
    serve("orders", memoryOnly(), message -> Future.succeededFuture(message.body()));
    send(
        postJson(
            "/services/orders?token=" + TOKEN,
            "{\"a\":1}",
            "Authorization",
            "Bearer " + TOKEN,
            "X-Request-Id",
            "r17",
            "User-Agent",
            "test\u00e9"));
    JsonObject line = line();
    assertThat(line.getString("path")).isEqualTo("/services/orders");
    assertThat(line.getString("method")).isEqualTo("POST");
    assertThat(line.getString("client")).isEqualTo("127.0.0.1");
    assertThat(line.getString("user")).contains("ann");
    assertThat(line.getInteger("status")).isEqualTo(200);
    assertThat(line.getInteger("bytes")).isEqualTo(7);
    assertThat(line.getDouble("ms")).isPositive();
    assertThat(line.getString("requestId")).isEqualTo("r17");
    assertThat(line.encode()).doesNotContain(TOKEN);
  }

  @Test
  void refusalsAndTheManagementPortAreLoggedToo() {
    send(postJson("/services/orders", "1"));
    assertThat(line().getInteger("status")).isEqualTo(401);
    send(postJson("/services/orders", "1", "Authorization", "Bearer " + TOKEN));
    assertThat(line().getInteger("status")).isEqualTo(404);
    send(to("/nothing").GET().build());
    assertThat(line().getInteger("status")).isEqualTo(404);
    RawHttp.send(gateway.managementPort(), "GET /health/live HTTP/1.1", "Connection: close");
    assertThat(line().getString("path")).isEqualTo("/health/live");
    assertThat(lines).isEmpty();
  }

  @Test
  void aClientThatLeavesBeforeTheAnswerHasStatus499() throws Exception {
    Promise<Object> reply = Promise.promise();
    Promise<Void> handling = Promise.promise();
    serve(
        "orders",
        memoryOnly(),
        message -> {
          handling.complete();
          return reply.future();
        });
    try (Socket socket = new Socket("127.0.0.1", gateway.port())) {
      OutputStream out = socket.getOutputStream();
      String head =
          "POST /services/orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              + "Authorization: Bearer "
              + TOKEN
              + "\r\nContent-Length: 1\r\n\r\n1";
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      Futures.result("it is in handling", handling.future());
    }
    assertThat(line().getInteger("status")).isEqualTo(499);
    reply.complete("late");
    assertThat(lines).isEmpty();
  }

  @Test
  void aSocketIsALineWhenItEnds() {
    serve("orders", new ServiceOptions(), message -> Future.succeededFuture());
    WebSocketClient sockets = vertx.createWebSocketClient();
    WebSocketConnectOptions connect =
        new WebSocketConnectOptions()
            .setHost("127.0.0.1")
            .setPort(gateway.port())
            .setURI("/services/orders/ws")
            .setSubProtocols(List.of("weir.v1"))
            .addHeader("Authorization", "Bearer " + TOKEN);
    sockets
        .connect(connect)
        .onComplete(done -> lines.add(new JsonObject().put("opened", done.succeeded()).encode()));
    assertThat(line().getBoolean("opened")).isTrue();
    Futures.result("the client closes", sockets.close());
    assertThat(line().getInteger("status")).isEqualTo(101);
  }

  @Test
  void aFormatOtherThanJsonIsCombined() {
    Futures.result("close", gateway.close());
    gateway =
        Futures.result(
            "the gateway starts",
            Gateway.start(vertx, weir, options().setAccessLog(AccessLogFormat.COMBINED)));
    send(to("/a%0d%0ab?q=" + TOKEN).header("Referer", "http://h/?t=" + TOKEN).GET().build());
    Await.until("a line is logged", () -> !lines.isEmpty());
    assertThat(lines.remove())
        .matches(
            "127\\.0\\.0\\.1 - - \\[.*] \"GET /a%0d%0ab HTTP/1\\.1\" 404 \\d+ \"http://h/\""
                + " \"Java.*\"");
  }
}
