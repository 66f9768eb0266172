package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.flow.ReplyStream;
import dev.weir.flow.ServiceOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of what was begun with a token that is taken out of its file. */
class RevocationTest extends GuardTestBase {
  private static final String OLD = "old-0123456789abcdef";
  private static final String NEW = "new-0123456789abcdef";

  @TempDir Path directory;
  private final AtomicInteger handled = new AtomicInteger();
  private final Promise<Throwable> streamStopped = Promise.promise();
  private final List<String> texts = new CopyOnWriteArrayList<>();

  /** Held, because clients that nobody holds are closed. */
  private WebSocketClient sockets;

  private HttpClient client;
  private Path file;
  private Gateway gateway;

  @BeforeEach
  void serve() throws Exception {
    file = Files.writeString(directory.resolve("tokens"), OLD + "\n" + NEW);
    gateway =
        start(
            new GatewayOptions()
                .setHost("0.0.0.0")
                .setUnprotectedAllowed(true)
                .setTokens(
                    new TokenOptions().setDataTokensFile(file.toString()).setReloadIntervalMs(0)));
    sockets = vertx.createWebSocketClient();
    ServiceOptions memory = new ServiceOptions().setDiskBytes(0);
    await(
        weir.<Object>serve(
            "work", memory, message -> Future.succeededFuture(handled.incrementAndGet())));
    await(
        weir.<Object>serve(
            "stream",
            memory,
            message -> {
              ReplyStream stream = ReplyStream.of(vertx, message);
              return stream
                  .write("one")
                  .compose(written -> stream.write("two"))
                  .onFailure(streamStopped::complete);
            }));
  }

  @Test
  void closesASocketWhoseTokenIsRevokedAndLeavesOthersAlone() throws Exception {
    WebSocket old = connect("work", OLD);
    WebSocket other = connect("work", NEW);
    other.textMessageHandler(texts::add);
    Promise<Void> closed = Promise.promise();
    old.closeHandler(closed::complete);

    keepOnly(NEW);

    await(closed.future());
    assertThat(old.closeStatusCode()).isEqualTo((short) 1008);
    assertThat(old.closeReason()).isEqualTo("the token is not valid any more");
    assertThat(handled).hasValue(0);
    other.writeTextMessage("{\"id\":1}");
    until("the reply", () -> !texts.isEmpty());
    assertThat(texts).containsExactly("{\"id\":1,\"body\":1}");
    assertThatThrownBy(() -> connect("work", OLD)).hasMessageContaining("401");
  }

  @Test
  void handlesNoRequestOfAClientThatGoesOnSending() throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(
          "GET /services/work/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
              + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
              + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
              + ("Authorization: Bearer " + OLD + "\r\n\r\n"));
      assertThat(client.line()).startsWith("HTTP/1.1 101");

      keepOnly(NEW);

      // A text message, masked with zeros.
      client.send("\u0081\u0088\0\0\0\0{\"id\":1}");
      client.endOutput();
      assertThat(client.rest()).contains("the token is not valid any more");
    }
    until("no connection to be left", () -> gateway.guardStats().connections() == 0);
    assertThat(handled).hasValue(0);
  }

  @Test
  void endsTheStreamsOfTheSocket() throws Exception {
    WebSocket old = connect("stream", OLD);
    old.textMessageHandler(texts::add);
    old.writeTextMessage("{\"id\":1,\"stream\":true,\"credits\":1}");
    until("the first part", () -> !texts.isEmpty());

    keepOnly(NEW);

    await(streamStopped.future());
    until("nothing to be in flight", () -> gateway.inFlight() == 0);
  }

  @Test
  void endsFiguresThatAreStreamed() throws Exception {
    client = vertx.createHttpClient();
    HttpClientRequest request =
        await(client.request(HttpMethod.GET, gateway.port(), "127.0.0.1", "/dashboard/events"));
    request.putHeader("Authorization", "Bearer " + OLD);
    HttpClientResponse response = await(request.send());
    assertThat(response.statusCode()).isEqualTo(200);
    Promise<Void> ended = Promise.promise();
    response.exceptionHandler(failure -> ended.tryComplete());
    response.endHandler(end -> ended.tryComplete());

    keepOnly(NEW);

    await(ended.future());
  }

  private void keepOnly(String token) throws Exception {
    Files.writeString(file, token);
    assertThat(await(gateway.reload())).isTrue();
  }

  private WebSocket connect(String service, String token) throws Exception {
    return await(
        sockets.connect(
            new WebSocketConnectOptions()
                .setHost("127.0.0.1")
                .setPort(gateway.port())
                .setURI("/services/" + service + "/ws")
                .addHeader("Authorization", "Bearer " + token)));
  }
}
