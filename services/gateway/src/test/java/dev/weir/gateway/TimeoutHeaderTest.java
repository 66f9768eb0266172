package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ReplyStream;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.Weir;
import dev.weir.gateway.http.RequestHeaders;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * On a cluster every request of a client says how long its client waits, so that a service of
 * another node does not handle it afterwards.
 */
@Timeout(120)
class TimeoutHeaderTest {
  /** None of them is over before the answer, on a machine that stands still for long, too. */
  private static final int TIMEOUT_MS = 70_000;

  private static final int NAMED_MS = 80_000;
  private static final int MAX_TIMEOUT_MS = 90_000;

  private final Vertx vertx = Vertx.vertx();
  private final Queue<MultiMap> seen = new ConcurrentLinkedQueue<>();
  private Gateway gateway;

  /** Says that it is clustered; a second node is not needed to see what is sent. */
  private static final class Clustered extends VertxWrapper {
    Clustered(Vertx vertx) {
      super((VertxInternal) vertx);
    }

    @Override
    public boolean isClustered() {
      return true;
    }
  }

  @BeforeEach
  void start() {
    Weir weir = Weir.create(vertx);
    Futures.result(
        "serve",
        weir.serve(
            "service",
            GatewayTestBase.memoryOnly(),
            message -> {
              seen.add(MultiMap.caseInsensitiveMultiMap().addAll(message.headers()));
              return ReplyStream.isAskedFor(message)
                  ? ReplyStream.of(vertx, message).end("last")
                  : Future.succeededFuture("reply");
            }));
    GatewayOptions options =
        new GatewayOptions().setPort(0).setTimeoutMs(TIMEOUT_MS).setMaxTimeoutMs(MAX_TIMEOUT_MS);
    gateway = Futures.result("gateway", Gateway.start(new Clustered(vertx), weir, options));
  }

  @AfterEach
  void stop() {
    Futures.result("the gateway closes", gateway.close());
    Futures.result("vert.x closes", vertx.close());
  }

  private MultiMap post(String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + gateway.port() + "/services/service"))
            .POST(BodyPublishers.noBody());
    HttpRequest built = (headers.length == 0 ? request : request.headers(headers)).build();
    int status = HttpClient.newHttpClient().send(built, BodyHandlers.ofString()).statusCode();
    assertThat(status).isEqualTo(200);
    return seen.remove();
  }

  private MultiMap socket(JsonObject request) {
    WebSocket socket =
        Futures.result(
            "the socket opens",
            vertx
                .createWebSocketClient()
                .connect(gateway.port(), "127.0.0.1", "/services/service/ws"));
    Queue<JsonObject> replies = new ConcurrentLinkedQueue<>();
    socket.textMessageHandler(text -> replies.add(new JsonObject(text)));
    socket.writeTextMessage(request.put("id", 1).encode());
    Await.until("the reply", () -> !replies.isEmpty());
    assertThat(replies.remove().getValue("problem")).isNull();
    Futures.result("the socket closes", socket.close());
    return seen.remove();
  }

  private static void assertTimeout(MultiMap headers, int timeoutMs) {
    assertThat(headers.getAll(ServiceMessage.TIMEOUT_MS)).containsExactly("" + timeoutMs);
  }

  @Test
  void aPostNamesTheTimeOfItsClient() throws Exception {
    assertTimeout(post(), TIMEOUT_MS);
    assertTimeout(post("Weir-Timeout-Ms", "" + NAMED_MS), NAMED_MS);
  }

  @Test
  void aPostWithAKeyNamesTheLongestTimeSinceItsClientMayRepeatIt() throws Exception {
    assertTimeout(post("Idempotency-Key", "k"), MAX_TIMEOUT_MS);
  }

  @Test
  void aRequestOverAWebSocketNamesTheTimeOfItsClient() {
    assertTimeout(socket(new JsonObject()), TIMEOUT_MS);
    assertTimeout(socket(new JsonObject().put("timeoutMs", NAMED_MS)), NAMED_MS);
  }

  @Test
  void aRequestForAStreamNamesTheTimeOfItsClient() {
    assertTimeout(socket(new JsonObject().put("stream", true)), TIMEOUT_MS);
  }

  @Test
  void theHandlerSeesUntilWhenAClientOverAWebSocketWaits() {
    long nowMs = System.currentTimeMillis();
    MultiMap headers = socket(new JsonObject().put("timeoutMs", NAMED_MS));
    assertThat(Long.parseLong(headers.get(RequestHeaders.DEADLINE_MS)))
        .isGreaterThanOrEqualTo(nowMs + NAMED_MS);
    assertThat(socket(new JsonObject()).contains(RequestHeaders.DEADLINE_MS)).isFalse();
  }
}
