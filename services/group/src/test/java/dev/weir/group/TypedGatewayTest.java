package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.GatewayOptions;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON over HTTP for handlers of a class; here, because the gateway's tests have no databind. */
class TypedGatewayTest {
  record Order(String item, int count) {}

  private static final String TEXT = " {\"item\": \"nail\", \"count\": 3}";

  @TempDir private Path directory;
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Order> seen = new CopyOnWriteArrayList<>();
  private Weir weir;
  private Gateway gateway;

  @BeforeEach
  void start() {
    weir = Weir.create(vertx, new WeirOptions().setDirectory(directory.toString()));
    gateway =
        Futures.result(
            "the gateway starts", Gateway.start(vertx, weir, new GatewayOptions().setPort(0)));
  }

  @AfterEach
  void stop() {
    Futures.result("the gateway closes", gateway.close());
    Futures.result("weir closes", weir.close());
    Futures.result("vert.x closes", vertx.close());
  }

  private Service serve(ServiceOptions options) {
    ServiceHandler<Order> handler =
        message -> {
          seen.add(message.body());
          return Future.succeededFuture(message.body());
        };
    return Futures.result("serving", weir.serve("orders", Order.class, options, handler));
  }

  private CompletableFuture<HttpResponse<String>> post(String path, String json) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json))
            .build();
    return client.sendAsync(request, BodyHandlers.ofString());
  }

  @Test
  void aHandlerOfAClassGetsAnObjectOfIt() {
    serve(new ServiceOptions());
    HttpResponse<String> response = post("/services/orders", TEXT).join();
    assertThat(response.body()).isEqualTo("{\"item\":\"nail\",\"count\":3}");
    assertThat(response.headers().firstValue("content-type")).contains("application/json");
    assertThat(post("/services/orders/events", TEXT).join().statusCode()).isEqualTo(202);
    Await.until("the event is handled", () -> seen.size() == 2);
    assertThat(seen).containsOnly(new Order("nail", 3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "[1", "{\"item\":\"nail\",\"count\":3}x", "{\"count\":\"many\"}"})
  void textThatIsNoneOfTheClassReachesNoHandler(String text) {
    serve(new ServiceOptions());
    HttpResponse<String> response = post("/services/orders", text).join();
    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    assertThat(seen).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10})
  void textThatIsNoJsonIsRefusedWhereItWouldWait(int memoryMessages) {
    Service service =
        serve(new ServiceOptions().setWriteThrough(true).setMemoryMessages(memoryMessages));
    Futures.result("paused", service.pause());
    CompletableFuture<HttpResponse<String>> bad = post("/services/orders", "{\"item\":");
    CompletableFuture<HttpResponse<String>> good = post("/services/orders", TEXT);
    Await.until("the good one waits", () -> waiting(service) + (bad.isDone() ? 1 : 0) == 2);
    Futures.result("resumed", service.resume());
    assertThat(good.join().statusCode()).isEqualTo(200);
    assertThat(bad.join().statusCode()).as(bad.join().body()).isEqualTo(400);
    assertThat(seen).containsExactly(new Order("nail", 3));
  }

  private static long waiting(Service service) {
    return service.stats().waitingInMemory() + service.stats().waitingOnDisk();
  }
}
