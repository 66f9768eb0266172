package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.http.ProblemType;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Routes that a user has mounted. */
class MountedRoutesTest extends GatewayTestBase {
  private final AtomicReference<RoutingContext> held = new AtomicReference<>();
  private final List<Promise<String>> works = new CopyOnWriteArrayList<>();

  @Override
  GatewayOptions options() {
    return super.options().setLimits(new LimitOptions().setMaxRequestsInFlight(2));
  }

  @BeforeEach
  void mount() {
    gateway.mount(
        "/things",
        router -> {
          router.get("/things/held").handler(held::set);
          router.get("/things/quick").handler(context -> context.response().end("quick"));
          router.get("/things/events").handler(this::stream);
          router.get("/things/work").handler(this::work);
          router.get("/things/socket").handler(context -> context.request().toWebSocket());
        });
  }

  private void stream(RoutingContext context) {
    HttpServerResponse response = context.response().setChunked(true);
    response.putHeader("content-type", "text/event-stream");
    response.write(":\n\n");
    held.set(context);
  }

  private void work(RoutingContext context) {
    Promise<String> done = Promise.promise();
    context.put("weir.work", done.future().onSuccess(context.response()::end));
    works.add(done);
  }

  private HttpRequest request(String path) {
    return to(path).GET().build();
  }

  private CompletableFuture<HttpResponse<String>> hold() {
    CompletableFuture<HttpResponse<String>> answer = sendAsync(request("/things/held"));
    Await.until("it is in handling", () -> held.get() != null);
    return answer;
  }

  @Test
  void theirRequestsAreInFlightAndBounded() {
    CompletableFuture<HttpResponse<String>> first = hold();
    assertThat(gateway.inFlight()).isEqualTo(1);
    RoutingContext one = held.getAndSet(null);
    CompletableFuture<HttpResponse<String>> second = hold();
    assertThat(gateway.inFlight()).isEqualTo(2);
    assertProblem(send(request("/things/quick")), ProblemType.OVERLOADED);
    one.response().end("first");
    held.get().response().end("second");
    assertThat(first.join().body()).isEqualTo("first");
    assertThat(second.join().body()).isEqualTo("second");
    Await.until("none is in flight", () -> gateway.inFlight() == 0);
    assertThat(send(request("/things/quick")).body()).isEqualTo("quick");
  }

  @Test
  void aWebSocketIsInFlightUntilItIsClosed() throws Exception {
    URI uri = URI.create("ws://127.0.0.1:" + gateway.port() + "/things/socket");
    for (int i = 0; i < 3; i++) {
      WebSocket socket =
          HttpClient.newHttpClient()
              .newWebSocketBuilder()
              .buildAsync(uri, new WebSocket.Listener() {})
              .get();
      Await.until("it is in flight", () -> gateway.inFlight() == 1);
      socket.abort();
      Await.until("it is not in flight", () -> gateway.inFlight() == 0);
      Await.until("nothing is held", () -> gateway.guardStats().requestsInFlight() == 0);
    }
    assertThat(send(request("/things/quick")).body()).isEqualTo("quick");
  }

  @Test
  void aDrainEndsThemAndLetsNoneIn() {
    CompletableFuture<HttpResponse<String>> answer = hold();
    Future<Void> drained = gateway.drain();
    HttpResponse<String> refused = send(request("/things/quick"));
    assertProblem(refused, ProblemType.CLOSED);
    assertThat(refused.headers().firstValue("connection")).contains("close");
    assertThat(drained.isComplete()).isFalse();
    held.get().response().end("done");
    assertThat(answer.join().body()).isEqualTo("done");
    Futures.result("it has drained", drained);
  }

  @Test
  void aRequestWhoseClientIsGoneIsNotInFlight() throws IOException {
    try (Socket socket = new Socket("127.0.0.1", gateway.port())) {
      socket
          .getOutputStream()
          .write(
              "GET /things/held HTTP/1.1\r\nhost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      Await.until("it is in handling", () -> gateway.inFlight() == 1);
    }
    Await.until("none is in flight", () -> gateway.inFlight() == 0);
  }

  @Test
  void aRequestWhoseClientIsGoneIsInFlightUntilItsWorkIsDone() throws IOException {
    for (int i = 1; i <= 2; i++) {
      int begun = i;
      try (Socket socket = new Socket("127.0.0.1", gateway.port())) {
        socket
            .getOutputStream()
            .write(
                "GET /things/work HTTP/1.1\r\nhost: localhost\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        Await.until("its work has begun", () -> works.size() == begun);
      }
      Await.until("its connection is gone", () -> gateway.guardStats().connections() == 0);
    }
    assertThat(gateway.inFlight()).isEqualTo(2);
    assertProblem(send(request("/things/work")), ProblemType.OVERLOADED);
    assertThat(works).hasSize(2);

    works.get(0).complete("late");
    works.get(1).fail("late");
    Await.until("none is in flight", () -> gateway.inFlight() == 0);
    Await.until("none has a place", () -> gateway.guardStats().requestsInFlight() == 0);
    CompletableFuture<HttpResponse<String>> answer = sendAsync(request("/things/work"));
    Await.until("its work has begun", () -> works.size() == 3);
    works.get(2).complete("done");
    assertThat(answer.join().body()).isEqualTo("done");
    Await.until("none has a place", () -> gateway.guardStats().requestsInFlight() == 0);
  }

  @Test
  void aStreamOfEventsDoesNotHoldADrainUp() throws IOException {
    try (Socket socket = new Socket("127.0.0.1", gateway.port())) {
      socket
          .getOutputStream()
          .write(
              "GET /things/events HTTP/1.1\r\nhost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      Await.until("the stream is open", () -> held.get() != null && gateway.inFlight() == 0);
      Futures.result("it has drained", gateway.drain());
    }
  }
}
