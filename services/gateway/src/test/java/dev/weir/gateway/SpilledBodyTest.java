package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ReplyStream;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
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
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bodies of requests that wait on disk leave the heap, though their requests stay; and so do
 * the parts of a stream that its client has.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SpilledBodyTest {
  private static final long HEAP_BYTES = 1L << 30;
  private static final int BODY_BYTES = 1_000_000;
  private static final int REQUESTS = 60;

  /** One socket may hold half of the bytes of bodies. */
  private static final int SOCKETS = 3;

  @TempDir Path directory;
  private final Vertx vertx = Vertx.vertx();
  private final Queue<Promise<Object>> unanswered = new ConcurrentLinkedQueue<>();

  /** Held, because clients that nobody holds are closed. */
  private final WebSocketClient sockets = vertx.createWebSocketClient();

  private HttpClient client;
  private Weir weir;
  private Service service;
  private Gateway gateway;

  @BeforeEach
  void start() {
    WeirOptions options =
        new WeirOptions().setDirectory(directory.toString()).setHeapBytes(HEAP_BYTES);
    weir = Weir.create(vertx, options);
    gateway =
        Futures.result(
            "the gateway starts",
            Gateway.start(vertx, weir, new GatewayOptions().setPort(0).setTimeoutMs(60_000)));
    service =
        Futures.result(
            "held",
            weir.serve(
                "held",
                new ServiceOptions().setWorkers(1).setMemoryMessages(0).setWriteThrough(true),
                message -> {
                  Promise<Object> reply = Promise.promise();
                  unanswered.add(reply);
                  return reply.future();
                }));
    client =
        vertx.createHttpClient(
            new HttpClientOptions().setDefaultHost("127.0.0.1").setDefaultPort(gateway.port()),
            new PoolOptions().setHttp1MaxSize(REQUESTS));
  }

  @AfterEach
  void stop() {
    Futures.result("the gateway closes", gateway.close());
    Futures.result("weir closes", weir.close());
    Futures.result("vert.x closes", vertx.close());
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** One is handled, the others are on disk. */
  private void awaitThatItWaits(int request) {
    Await.until(
        "request " + request + " waits",
        () -> unanswered.size() == 1 && service.stats().waitingOnDisk() == request);
  }

  private static void assertHeapHoldsFew(long beforeBytes) {
    Await.until(
        "the heap holds less than half of them",
        () -> usedBytes() - beforeBytes < (long) REQUESTS * BODY_BYTES / 2);
  }

  private void answerAll() {
    for (int i = 0; i < REQUESTS; i++) {
      Await.until("the next is handled", () -> !unanswered.isEmpty());
      unanswered.remove().complete("done");
    }
  }

  @Test
  void aRequestThatWaitsKeepsNoBody() {
    Buffer body = Buffer.buffer(new byte[BODY_BYTES]);
    List<Future<Integer>> statuses = new ArrayList<>();
    long beforeBytes = usedBytes();
    for (int i = 0; i < REQUESTS; i++) {
      HttpClientRequest request =
          Futures.result("a request", client.request(HttpMethod.POST, "/services/held"));
      statuses.add(request.send(body).map(response -> response.statusCode()));
      awaitThatItWaits(i);
    }
    assertHeapHoldsFew(beforeBytes);
    answerAll();
    statuses.forEach(status -> assertThat(Futures.result("a response", status)).isEqualTo(200));
  }

  @Test
  void norDoesARequestOnAWebSocket() {
    List<JsonObject> replies = new CopyOnWriteArrayList<>();
    List<WebSocket> open = new ArrayList<>();
    for (int i = 0; i < SOCKETS; i++) {
      WebSocket socket =
          Futures.result(
              "it opens", sockets.connect(gateway.port(), "127.0.0.1", "/services/held/ws"));
      socket.textMessageHandler(text -> replies.add(new JsonObject(text)));
      open.add(socket);
    }
    long beforeBytes = usedBytes();
    for (int i = 0; i < REQUESTS; i++) {
      byte[] head = new JsonObject().put("id", i).toBuffer().getBytes();
      open.get(i % SOCKETS)
          .writeBinaryMessage(
              Buffer.buffer()
                  .appendUnsignedShort(head.length)
                  .appendBytes(head)
                  .appendBytes(new byte[BODY_BYTES]));
      awaitThatItWaits(i);
    }
    assertHeapHoldsFew(beforeBytes);
    answerAll();
    Await.until("all are answered", () -> replies.size() == REQUESTS);
    assertThat(replies).allMatch(reply -> "done".equals(reply.getString("body")));
  }

  /** The service waits until the client gives more credit, which it need not do. */
  @Test
  void norDoesAStreamKeepThePartsThatItsClientHas() {
    AtomicInteger parts = new AtomicInteger();
    Futures.result(
        "parts", weir.serve("parts", new ServiceOptions(), message -> write(REQUESTS, message)));
    WebSocketClient client =
        vertx.createWebSocketClient(new WebSocketClientOptions().setMaxMessageSize(2 * BODY_BYTES));
    WebSocket socket =
        Futures.result(
            "it opens", client.connect(gateway.port(), "127.0.0.1", "/services/parts/ws"));
    socket.binaryMessageHandler(part -> parts.incrementAndGet());
    long beforeBytes = usedBytes();
    socket.writeTextMessage(
        new JsonObject().put("id", 1).put("stream", true).put("credits", REQUESTS).encode());
    Await.until(() -> "all parts come, " + parts, () -> parts.get() == REQUESTS);
    assertHeapHoldsFew(beforeBytes);
    Futures.result("the socket closes", socket.close());
  }

  private Future<Void> write(int parts, ServiceMessage<?> message) {
    ReplyStream stream = ReplyStream.of(vertx, message);
    Future<Void> written = Future.succeededFuture();
    for (int i = 0; i < parts; i++) {
      written = written.compose(done -> stream.write(Buffer.buffer(new byte[BODY_BYTES])));
    }
    return written.compose(done -> stream.write("one more than there is credit for"));
  }
}
