package dev.weir.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningTest {
  private static final int MESSAGES = 50;

  @TempDir Path directory;
  private final Orders orders = new Orders();
  private final Settings settings = new Settings(LaunchOptions.defaults(orders));
  private final List<String> said = new ArrayList<>();

  @Test
  void isNotReadyFromTheShareOfTheDiskThatTheEnvironmentSets() throws Exception {
    settings.environment(
        Map.of(
            "WEIR_HTTP_HEALTH_DISK_PERCENT", "30",
            "WEIR_HTTP_PORT", "0",
            "WEIR_STORE_DIRECTORY", directory.toString()));
    settings.forEach((name, value) -> said.add(name + " " + value));
    assertThat(said).anyMatch(line -> line.contains("\"health\":{\"diskPercent\":30}"));
    Running running = new Running(orders, new LaunchOptions(settings.toJson(), orders), said::add);
    Vertx vertx = running.vertx(new VertxOptions()).build();
    try {
      running.serve(vertx, null);
      Futures.result("it serves", vertx.deployVerticle(running.newInstance()));
      running.ready();
      assertThat(ready().statusCode()).isEqualTo(200);
      fill(vertx);
      HttpResponse<String> full = ready();
      assertThat(full.statusCode()).isEqualTo(503);
      assertThat(full.body()).containsPattern("orders uses \\d\\d % of its disk budget");
    } finally {
      Futures.result("the services go on", orders.weir.service("orders").resume());
      Futures.result("it stops", running.stop());
      Futures.result("vert.x closes", vertx.close());
    }
  }

  @Test
  void doesNotStartIfTheServiceThrowsAnError() {
    Orders broken =
        new Orders() {
          @Override
          public Future<?> start(Vertx vertx, Weir weir) {
            throw new NoClassDefFoundError("com/example/Driver");
          }
        };
    Running running = new Running(broken, new LaunchOptions(settings.toJson(), broken), said::add);
    Vertx vertx = running.vertx(new VertxOptions()).build();
    try {
      running.serve(vertx, null);
      assertThat(Futures.failure("start", vertx.deployVerticle(running.newInstance())))
          .isInstanceOf(NoClassDefFoundError.class);
    } finally {
      Futures.result("it stops", running.stop());
      Futures.result("vert.x closes", vertx.close());
    }
  }

  @Test
  void theRegistriesOfTheServiceGetItsFiguresAndAreClosedWithIt() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Orders measured =
        new Orders() {
          @Override
          public List<MeterRegistry> registries() {
            return List.of(registry);
          }
        };
    settings.environment(
        Map.of("WEIR_HTTP_PORT", "0", "WEIR_STORE_DIRECTORY", directory.toString()));
    Running running =
        new Running(measured, new LaunchOptions(settings.toJson(), measured), said::add);
    Vertx vertx = running.vertx(new VertxOptions()).build();
    try {
      running.serve(vertx, null);
      Futures.result("it serves", vertx.deployVerticle(running.newInstance()));
      assertThat(registry.find("weir.service.accepted").tag("address", "orders").functionCounter())
          .isNotNull();
    } finally {
      Futures.result("it stops", running.stop());
      Futures.result("vert.x closes", vertx.close());
    }
    assertThat(registry.isClosed()).isTrue();
  }

  @Test
  void stopsWhileTheServiceWaitsForSomethingBeforeItHasStarted() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch comes = new CountDownLatch(1);
    Orders waiting =
        new Orders() {
          @Override
          public Future<?> start(Vertx vertx, Weir weir) {
            waits.countDown();
            try {
              comes.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            return super.start(vertx, weir);
          }
        };
    settings.environment(
        Map.of("WEIR_HTTP_PORT", "0", "WEIR_STORE_DIRECTORY", directory.toString()));
    Running running =
        new Running(waiting, new LaunchOptions(settings.toJson(), waiting), said::add);
    Vertx vertx = running.vertx(new VertxOptions()).build();
    Thread main = new Thread(() -> running.serve(vertx, null));
    main.start();
    try {
      waits.await();
      Future<Void> stopped = CompletableFuture.supplyAsync(running::stop).get(30, TimeUnit.SECONDS);
      Futures.result("it stops", stopped);
      assertThat(main.isAlive()).isTrue();
    } finally {
      comes.countDown();
      main.join();
      Futures.result("vert.x closes", vertx.close());
    }
  }

  private void fill(Vertx vertx) {
    Futures.result("it pauses", orders.weir.service("orders").pause());
    for (int i = 0; i < MESSAGES; i++) {
      vertx.eventBus().send("orders", "x".repeat(950));
    }
    Await.until(
        "they wait", () -> orders.weir.service("orders").stats().waitingOnDisk() == MESSAGES);
  }

  private HttpResponse<String> ready() throws IOException, InterruptedException {
    String url = said.get(said.size() - 1).replace("ready at ", "") + "health/ready";
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .build()
        .send(request, BodyHandlers.ofString());
  }

  /** A service with a small budget, and nothing in memory. */
  private static class Orders implements LaunchedService {
    private Weir weir;

    @Override
    public String name() {
      return "orders";
    }

    @Override
    public JsonObject defaults() {
      return new JsonObject();
    }

    @Override
    public void configure(JsonObject section) {}

    @Override
    public Future<?> start(Vertx vertx, Weir weir) {
      this.weir = weir;
      ServiceOptions options = new ServiceOptions().setMemoryMessages(0).setDiskBytes(100_000);
      return weir.serve("orders", options, message -> Future.succeededFuture());
    }

    @Override
    public void stop() {}
  }
}
