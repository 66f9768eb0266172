package dev.weir.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.testing.Futures;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures of a node at a collector of OpenTelemetry, beside those for Prometheus. */
class OtlpTest {
  private static final String ADDRESS = "orders";
  private static final int MESSAGES = 20;

  @TempDir private Path directory;

  /** What has come last, by name. */
  private final Map<String, Metric> received = new ConcurrentHashMap<>();

  private HttpServer collector;

  @BeforeEach
  void listen() throws IOException {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/metrics",
        exchange -> {
          try (InputStream body = exchange.getRequestBody()) {
            ExportMetricsServiceRequest.parseFrom(body).getResourceMetricsList().stream()
                .flatMap(resource -> resource.getScopeMetricsList().stream())
                .flatMap(scope -> scope.getMetricsList().stream())
                .forEach(metric -> received.put(metric.getName(), metric));
          }
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
  }

  @AfterEach
  void stop() {
    collector.stop(0);
  }

  /** It sends what it has when it is closed, and every minute. */
  private OtlpMeterRegistry otlp() {
    String url = "http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/metrics";
    OtlpConfig config = key -> key.equals("otlp.url") ? url : null;
    return new OtlpMeterRegistry(config, Clock.SYSTEM);
  }

  private void work(Metrics metrics, Runnable before) {
    Vertx vertx = metrics.vertx(new VertxOptions()).build();
    try {
      Weir weir = Weir.create(vertx, new WeirOptions().setDirectory(directory.toString()));
      metrics.bind(weir);
      Futures.result(
          "serving",
          weir.serve(ADDRESS, new ServiceOptions(), message -> Future.succeededFuture("done")));
      for (int i = 0; i < MESSAGES; i++) {
        Futures.result("reply", vertx.eventBus().request(ADDRESS, "order " + i));
      }
      before.run();
      Futures.result("closing", weir.close());
    } finally {
      Futures.result("Vert.x closes", vertx.close());
    }
  }

  @Test
  void aCollectorGetsTheFiguresOfServicesTheirTimesAndThoseOfTheJvm() {
    Metrics metrics = Metrics.create(otlp());
    work(metrics, metrics::close);

    Metric accepted = received.get(MetricNames.SERVICE_ACCEPTED.name());
    assertThat(accepted.getSum().getDataPoints(0).getAsDouble()).isEqualTo(MESSAGES);
    assertThat(accepted.getSum().getDataPoints(0).getAttributes(0).getValue().getStringValue())
        .isEqualTo(ADDRESS);
    for (String name : new String[] {"weir.service.waiting", "weir.service.handling"}) {
      Metric times = received.get(name);
      assertThat(times.getHistogram().getDataPoints(0).getCount()).as(name).isEqualTo(MESSAGES);
      assertThat(times.getHistogram().getDataPoints(0).getExplicitBoundsCount())
          .as(name)
          .isGreaterThan(20);
    }
    assertThat(received).containsKeys("jvm.memory.used", "vertx.pool.ratio");
  }

  @Test
  void prometheusReadsTheSameWithAndWithoutOthers() {
    Metrics alone = Metrics.create();
    String[] scrapes = new String[2];
    work(alone, () -> scrapes[0] = names(alone));
    alone.close();
    Metrics beside = Metrics.create(new SimpleMeterRegistry());
    work(beside, () -> scrapes[1] = names(beside));
    beside.close();
    assertThat(scrapes[1]).isEqualTo(scrapes[0]);
  }

  /** All but those of the collector, which come with its first pause. */
  private static String names(Metrics metrics) {
    return String.join(
        "\n",
        new Scrape(metrics.scrape(MetricsFormat.PROMETHEUS_TEXT))
            .names().stream().filter(name -> !name.startsWith("jvm_gc_")).sorted().toList());
  }

  @Test
  void aServiceThatIsClosedTakesItsTimersWithIt() {
    SimpleMeterRegistry other = new SimpleMeterRegistry();
    Metrics metrics = Metrics.create(other);
    work(
        metrics,
        () -> assertThat(other.find("weir.service.handling").timer().count()).isEqualTo(MESSAGES));
    assertThat(other.find("weir.service.handling").timer()).isNull();
    assertThat(other.find(MetricNames.SERVICE_ACCEPTED.name()).functionCounter()).isNull();
    metrics.close();
    assertThat(other.isClosed()).isTrue();
  }
}
