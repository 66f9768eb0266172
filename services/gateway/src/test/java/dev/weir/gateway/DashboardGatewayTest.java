package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.gateway.health.Health;
import dev.weir.gateway.metrics.DocumentMetrics;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.state.DocumentFactory;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import dev.weir.state.Query;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard as a gateway has it. */
class DashboardGatewayTest {
  private static final String TOKEN = "an-admin-token-of-a-test-that-is-long-enough";

  @TempDir Path directory;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private Vertx vertx;
  private Weir weir;
  private Gateway gateway;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    weir = Weir.create(vertx);
    Futures.result(
        "serving orders",
        weir.serve("orders", new ServiceOptions(), message -> Future.succeededFuture("ok")));
  }

  @AfterEach
  void stop() {
    Futures.result("the gateway closes", gateway.close(10_000));
    Futures.result("weir closes", weir.close());
    Futures.result("vert.x closes", vertx.close());
  }

  private void listen(TokenOptions tokens) {
    GatewayOptions options = new GatewayOptions().setPort(0).setTokens(tokens);
    gateway = Futures.result("the gateway listens", Gateway.start(vertx, weir, options));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + path));
  }

  @Test
  void answersWithThePageAndItsFigures() throws Exception {
    listen(new TokenOptions());
    HttpResponse<String> page = client.send(request("/").build(), BodyHandlers.ofString());
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("<title>Weir</title>");
    HttpResponse<InputStream> events =
        client.send(request("/dashboard/events").build(), BodyHandlers.ofInputStream());
    try (InputStream body = events.body()) {
      JsonObject snapshot = snapshotOfListening(body);
      assertThat(snapshot.getJsonObject("node").getBoolean("ready")).isTrue();
      assertThat(snapshot.getJsonArray("services").getJsonObject(0).getString("address"))
          .isEqualTo("orders");
    }
  }

  @Test
  void showsTheFactoriesOfDocuments() throws Exception {
    Documents documents =
        Futures.result(
            "the store",
            Documents.open(
                vertx,
                new DocumentsOptions().setDirectory(directory.resolve("documents").toString())));
    FactoryOptions indexed = new FactoryOptions().setIndexes(List.of("color"));
    DocumentFactory cars = Futures.result("cars", documents.factory("cars", indexed));
    Futures.result("a put", cars.put("a", new JsonObject()));
    Futures.result("a count", cars.count(new Query()));
    Futures.failure("a count", cars.count(new Query().setFilter("price = 1")));
    Metrics metrics = Metrics.create().bind(weir).bind(new DocumentMetrics(documents));
    Health health = Health.of(weir, new HealthOptions());
    gateway =
        Futures.result(
            "the gateway listens",
            Gateway.start(vertx, weir, new GatewayOptions().setPort(0), metrics, health));
    HttpResponse<InputStream> events =
        client.send(request("/dashboard/events").build(), BodyHandlers.ofInputStream());
    try (InputStream body = events.body()) {
      JsonObject shown = snapshotOfListening(body).getJsonObject("documents");
      assertThat(shown.getBoolean("writable")).isTrue();
      assertThat(shown.getLong("residentBytes")).isPositive();
      assertThat(shown.getJsonArray("factories")).hasSize(1);
      JsonObject shownCars = shown.getJsonArray("factories").getJsonObject(0);
      assertThat(shownCars.getString("name")).isEqualTo("cars");
      assertThat(shownCars.getLong("documents")).isEqualTo(1);
      assertThat(shownCars.getLong("resident")).isEqualTo(1);
      assertThat(shownCars.getLong("paused")).isZero();
      assertThat(shownCars.getLong("heapBytes")).isEqualTo(shown.getLong("residentBytes"));
      assertThat(shownCars.getLong("operations")).isEqualTo(1);
      assertThat(shownCars.getLong("queries")).isEqualTo(2);
      assertThat(shownCars.getJsonArray("indexes")).containsExactly("color");
    }
    metrics.close();
  }

  /** The next snapshot that was read when the gateway listened; one may be older. */
  private static JsonObject snapshotOfListening(InputStream body) throws IOException {
    JsonObject next = snapshot(body);
    while (next.getJsonObject("gateway") == null) {
      next = snapshot(body);
    }
    return next;
  }

  /** The next snapshot of a stream. */
  private static JsonObject snapshot(InputStream body) throws IOException {
    StringBuilder text = new StringBuilder();
    while (!text.toString().matches("(?s).*event: snapshot\ndata: .*\n\n")) {
      text.append((char) body.read());
    }
    return new JsonObject(text.substring(text.lastIndexOf("data: ") + 6));
  }

  @Test
  void showsTheFiguresOfTheGatewayItself() throws Exception {
    listen(new TokenOptions());
    for (int i = 0; i < 3; i++) {
      HttpRequest call = request("/services/orders").POST(BodyPublishers.ofString("x")).build();
      assertThat(client.send(call, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }
    HttpRequest denied =
        request("/services/orders")
            .header("Origin", "https://elsewhere.example")
            .POST(BodyPublishers.ofString("x"))
            .build();
    assertThat(client.send(denied, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
    HttpResponse<InputStream> events =
        client.send(request("/dashboard/events").build(), BodyHandlers.ofInputStream());
    try (InputStream body = events.body()) {
      Await.until(
          "the figures",
          () -> {
            try {
              JsonObject figures = snapshotOfListening(body).getJsonObject("gateway");
              return figures.getInteger("requests") == 3
                  && figures.getInteger("deniedRequests") == 1
                  && figures.getInteger("connections") > 0
                  && figures.getDouble("requestsPerSecond") != null;
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }

  @Test
  void showsTheFiguresOfTheProcess() throws Exception {
    listen(new TokenOptions());
    System.gc();
    HttpResponse<InputStream> events =
        client.send(request("/dashboard/events").build(), BodyHandlers.ofInputStream());
    try (InputStream body = events.body()) {
      JsonObject process = snapshot(body).getJsonObject("process");
      while (process.getDouble("pausedForGc") == null) {
        process = snapshot(body).getJsonObject("process");
      }
      assertThat(process.getLong("heapUsedBytes"))
          .isPositive()
          .isLessThan(process.getLong("heapMaxBytes"));
      assertThat(process.getLong("otherUsedBytes")).isPositive();
      assertThat(process.getLong("threads")).isGreaterThan(1);
      assertThat(process.getDouble("cpu")).isBetween(0.0, 1.0);
      assertThat(process.getDouble("pausedForGc")).isBetween(0.0, 10.0);
    }
  }

  @Test
  void aViewerDoesNotHoldUpTheCloseOfTheGateway() throws Exception {
    listen(new TokenOptions());
    HttpResponse<InputStream> events =
        client.send(request("/dashboard/events").build(), BodyHandlers.ofInputStream());
    long startNs = System.nanoTime();
    Futures.result("the gateway closes", gateway.close(3_600_000));
    assertThat(System.nanoTime() - startNs).isLessThan(3_600_000_000_000L);
    events.body().close();
  }

  @Test
  void isClosedToAdministratorsWithoutAToken() throws Exception {
    listen(new TokenOptions());
    HttpResponse<String> refused =
        client.send(
            request("/admin/services").header("Authorization", "Bearer x").build(),
            BodyHandlers.ofString());
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("no admin token is configured");
  }

  @Test
  void letsAnAdministratorAct() throws Exception {
    Path tokens = Files.writeString(directory.resolve("tokens"), "ops:" + TOKEN + "\n");
    listen(new TokenOptions().setAdminTokensFile(tokens.toString()));
    HttpRequest pause =
        request("/admin/services/orders/pause")
            .header("Authorization", "Bearer " + TOKEN)
            .POST(BodyPublishers.noBody())
            .build();
    assertThat(client.send(pause, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    assertThat(weir.service("orders").stats().paused()).isTrue();
  }
}
