package dev.weir.gateway.vertx50;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.metrics.VertxFigures;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.spi.VertxMetricsFactory;
import io.vertx.ext.web.Router;
import io.vertx.micrometer.MicrometerMetricsFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The held meters show what Vert.x's own metrics show for the same requests. */
@Timeout(120)
class HttpFiguresTest {
  private static final String PREFIX = "vertx.http.server.";

  @Test
  void namesTagsAndCountsAreThoseOfVertx() throws Exception {
    Map<String, Double> own = figures(MicrometerMetricsFactory::new);
    Map<String, Double> held = figures(HttpMetricsFactory::new);

    assertThat(held).isEqualTo(own);
    assertThat(own.keySet()).anyMatch(name -> name.contains("request.resets"));
    assertThat(own).containsKey(PREFIX + "requests[code=404,local=here,route=]COUNTER COUNT");
  }

  /** What the registry has after some requests of all kinds; without what time decides. */
  private static Map<String, Double> figures(
      Function<SimpleMeterRegistry, VertxMetricsFactory> factory) throws IOException {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Vertx vertx =
        Vertx.builder()
            .with(new VertxOptions().setMetricsOptions(VertxFigures.options()))
            .withMetrics(factory.apply(registry))
            .build();
    int port = listen(vertx);
    assertThat(send(port, "GET /one HTTP/1.1\r\nHost: a\r\n\r\n")).contains("200");
    assertThat(send(port, "POST /two/x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody"))
        .contains("201");
    assertThat(send(port, "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n")).contains("404");
    try (Socket gone = new Socket(InetAddress.getLoopbackAddress(), port)) {
      gone.getOutputStream().write(ascii("GET /never HTTP/1.1\r\nHost: a\r\n\r\n"));
      Await.until("it is being handled", () -> value(registry, "active.requests") == 1);
    }
    Await.until("it is gone", () -> value(registry, "active.requests") == 0);
    WebSocketClient client = vertx.createWebSocketClient();
    WebSocket socket = Futures.result("it connects", client.connect(port, "127.0.0.1", "/socket"));
    Await.until("it is counted", () -> value(registry, "active.ws.connections") == 1);
    Futures.result("it closes", socket.close());
    Await.until("no connection is left", () -> value(registry, "active.connections") == 0);
    Map<String, Double> figures = new TreeMap<>();
    registry.getMeters().forEach(meter -> add(meter, port, figures));
    Futures.result("Vert.x closes", vertx.close());
    return figures;
  }

  private static int listen(Vertx vertx) {
    Router router = Router.router(vertx);
    router.route().handler(context -> context.next());
    router.route("/two/*").handler(context -> context.next());
    router.get("/one").handler(context -> context.end("answer"));
    router
        .post("/two/x")
        .handler(
            context ->
                context
                    .request()
                    .body()
                    .onSuccess(body -> context.response().setStatusCode(201).end(body)));
    router.get("/never").handler(context -> {});
    HttpServer server =
        vertx.createHttpServer().requestHandler(router).webSocketHandler(accepted -> {});
    return Futures.result("it listens", server.listen(0, "127.0.0.1")).actualPort();
  }

  private static double value(SimpleMeterRegistry registry, String name) {
    return registry.find(PREFIX + name).gauges().stream().mapToDouble(g -> g.value()).sum();
  }

  private static void add(Meter meter, int port, Map<String, Double> figures) {
    Meter.Id id = meter.getId();
    if (!id.getName().startsWith(PREFIX)) {
      return;
    }
    StringBuilder tags = new StringBuilder();
    id.getTags()
        .forEach(tag -> tags.append(',').append(tag.getKey()).append('=').append(tag.getValue()));
    String name =
        id.getName()
            + tags.replace(0, 1, "[").toString().replace("127.0.0.1:" + port, "here")
            + "]"
            + id.getType()
            + (id.getBaseUnit() == null ? "" : id.getBaseUnit());
    meter
        .measure()
        .forEach(
            measurement -> {
              boolean timed =
                  id.getName().endsWith("time") && measurement.getStatistic() != Statistic.COUNT;
              figures.put(
                  name + " " + measurement.getStatistic(), timed ? -1 : measurement.getValue());
            });
  }

  /** The first line of the answer. */
  private static String send(int port, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(ascii(request));
      byte[] answer = new byte[64];
      int length = socket.getInputStream().readNBytes(answer, 0, 15);
      return new String(answer, 0, length, StandardCharsets.US_ASCII);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
