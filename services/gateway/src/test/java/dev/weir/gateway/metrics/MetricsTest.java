package dev.weir.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.transport.NoTransport;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.ServiceStats;
import dev.weir.gateway.Node;
import dev.weir.gateway.metrics.Metric.Type;
import dev.weir.options.HeapBudget;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MetricsTest {
  @TempDir Path directory;

  @Test
  void aScrapeHasEveryMetricWithItsTypeAndNoOtherOfOurs() {
    try (BusyNode busy = new BusyNode(directory)) {
      Scrape scrape = busy.scrape();
      for (Metric metric : MetricNames.all()) {
        String name = metric.prometheusName();
        assertThat(scrape.types).containsEntry(name, metric.type().prometheusName());
        String part = metric.type() == Type.HISTOGRAM ? "_bucket" : "";
        assertThat(scrape.names()).contains(name + part);
      }
      assertThat(scrape.types.keySet().stream().filter(name -> name.startsWith("weir_")))
          .hasSameSizeAs(MetricNames.all());
    }
  }

  @Test
  void theLimitOfTheMemoryTierIsWithinTheHeap() {
    try (Node node = Node.start(directory)) {
      node.serve(
          "greedy",
          new ServiceOptions().setMemoryBytes(Long.MAX_VALUE),
          message -> Future.succeededFuture());
      double limit =
          new Scrape(node.scrape())
              .value(MetricNames.SERVICE_MEMORY_LIMIT_BYTES, "address", "greedy");
      assertThat(limit)
          .isEqualTo(node.weir.heap().share(HeapBudget.Share.MEMORY_TIERS).limitBytes());
    }
  }

  @Test
  void figuresAreThoseOfTheServiceAndItsQueue() {
    try (BusyNode busy = new BusyNode(directory)) {
      int messages = BusyNode.REQUESTS + BusyNode.DURABLE;
      Scrape scrape = busy.scrape();
      assertThat(scrape.value(MetricNames.SERVICE_COMPLETED, "address", BusyNode.ADDRESS))
          .isEqualTo(messages);
      assertThat(scrape.value(MetricNames.SERVICE_WORKERS, "address", BusyNode.ADDRESS))
          .isEqualTo(ServiceOptions.DEFAULT_WORKERS);
      assertThat(scrape.value(DocumentMetricNames.FACTORY_DOCUMENTS, "factory", BusyNode.FACTORY))
          .isEqualTo(2);
      assertThat(scrape.value(DocumentMetricNames.FACTORY_OPERATIONS, "factory", BusyNode.FACTORY))
          .isEqualTo(2);
      assertThat(busy.node.scrape())
          .contains("weir_factory_queries_total{factory=\"parts\",outcome=\"completed\"} 1");
      assertThat(scrape.value(MetricNames.QUEUE_APPENDED, "queue", BusyNode.ADDRESS))
          .isEqualTo(BusyNode.DURABLE);
      assertThat(scrape.value(MetricNames.SERVICE_DISK_LIMIT_BYTES, "address", BusyNode.ADDRESS))
          .isEqualTo(ServiceOptions.DEFAULT_DISK_BYTES);
      assertThat(scrape.value(MetricNames.STORE_LOG_BYTES, "directory", directory.toString()))
          .isPositive();
      assertThat(scrape.value(MetricNames.STORE_FULL, "directory", directory.toString())).isZero();
      assertThat(scrape.value(MetricNames.GROUP_ACCEPTED, "group", BusyNode.GROUP)).isEqualTo(1);
      assertThat(scrape.value(MetricNames.GATEWAY_CHECK, "check", "disk")).isEqualTo(1);
      assertThat(scrape.samples)
          .containsEntry("weir_service_handling_seconds_count{address=\"orders\"}", 1.0 * messages);
    }
  }

  private static ProcessorGroup witness() {
    GroupOptions options =
        new GroupOptions()
            .setMembers(List.of("a", "b", "c"))
            .setWitness("c")
            .setPersistence(false)
            .setAckLevel(AckLevel.RECEIVED);
    return new GroupBuilder(
            options,
            (o, agreement, threads) -> new GroupBuilder.Place(2, null, new NoTransport()),
            started -> {})
        .start();
  }

  @Test
  void aWitnessIsNoneOfTheMembersThatCouldBeInSync() {
    try (ProcessorGroup group = witness();
        Metrics metrics = Metrics.create()) {
      metrics.bind(new GroupMetrics(group));
      assertThat(metrics.scrape(MetricsFormat.PROMETHEUS_TEXT))
          .contains("weir_group_members{group=\"processor\"} 2.0");
    }
  }

  @Test
  void figuresThatAreTakenAwayAreNotThereAnyMore() {
    try (ProcessorGroup group = witness();
        Metrics metrics = Metrics.create()) {
      GroupMetrics figures = new GroupMetrics(group);
      metrics.bind(figures);
      assertThat(metrics.groups()).hasSize(1);
      metrics.unbind(figures);
      assertThat(metrics.groups()).isEmpty();
      assertThat(metrics.scrape(MetricsFormat.PROMETHEUS_TEXT)).doesNotContain("weir_group_");
      metrics.bind(new GroupMetrics(group));
      assertThat(metrics.scrape(MetricsFormat.PROMETHEUS_TEXT)).contains("weir_group_members");
    }
  }

  @Test
  void aHistogramHasAllMessagesInItsLastBucketAndSumsWhatTheyTook() {
    try (Node node = Node.start(directory)) {
      Promise<Object> gate = Promise.promise();
      node.serve("slow", new ServiceOptions().setWorkers(1), message -> gate.future());
      Future<?> first = node.vertx.eventBus().request("slow", "held");
      Future<?> second = node.vertx.eventBus().request("slow", "waits");
      Await.until("one waits", () -> node.weir.service("slow").stats().waitingInMemory() == 1);
      long heldNs = System.nanoTime();
      // So long that the first, which does not wait, cannot take as long on a busy machine.
      Await.until("1 s is over", () -> System.nanoTime() - heldNs > 1_000_000_000);
      gate.complete("done");
      Futures.result("both are answered", Future.all(first, second));

      assertThat(node.metrics.waiting("slow").percentileNs(100)).isGreaterThan(900_000_000);
      assertThat(node.metrics.handling("slow").sumNs()).isGreaterThan(1_000_000_000);
      Scrape scrape = new Scrape(node.scrape());
      assertThat(scrape.samples)
          .containsEntry("weir_service_waiting_seconds_bucket{address=\"slow\",le=\"+Inf\"}", 2.0)
          .containsEntry("weir_service_waiting_seconds_bucket{address=\"slow\",le=\"0.7\"}", 1.0)
          .containsEntry("weir_service_handling_seconds_count{address=\"slow\"}", 2.0);
    }
  }

  @Test
  void theFiguresOfAServiceGoWithIt() {
    try (Node node = Node.start(directory)) {
      node.serve("here", new ServiceOptions(), message -> Future.succeededFuture());
      assertThat(node.scrape()).contains("address=\"here\"").contains("queue=\"here\"");
      Futures.result("it closes", node.weir.service("here").close());
      assertThat(node.scrape()).doesNotContain("address=\"here\"").doesNotContain("\"here\"");
      assertThat(node.metrics.handling("here")).isNull();

      node.serve("here", new ServiceOptions(), message -> Future.succeededFuture());
      assertThat(node.scrape()).contains("weir_service_handling_seconds_count{address=\"here\"} 0");
    }
  }

  @Test
  void aServiceThatRunsAlreadyIsBoundToo() {
    try (Node node = Node.start(directory);
        Metrics late = Metrics.create()) {
      node.serve("early", new ServiceOptions(), message -> Future.succeededFuture(message.body()));
      late.bind(node.weir);
      Futures.result("a request", node.vertx.eventBus().request("early", "x"));
      ServiceStats stats = node.weir.service("early").stats();
      Scrape scrape = new Scrape(late.scrape(MetricsFormat.PROMETHEUS_TEXT));
      assertThat(scrape.value(MetricNames.SERVICE_COMPLETED, "address", "early"))
          .isEqualTo(stats.completed())
          .isEqualTo(1);
      assertThat(late.handling("early").messages()).isEqualTo(1);
    }
  }

  @Test
  void twoNodesInOneJvmDoNotSeeEachOthersFigures() {
    try (Node one = Node.start(directory.resolve("one"));
        Node two = Node.start(directory.resolve("two"))) {
      one.serve("apples", new ServiceOptions(), message -> Future.succeededFuture());
      two.serve("pears", new ServiceOptions(), message -> Future.succeededFuture());
      two.get("/health/live");
      assertThat(one.scrape()).contains("apples").doesNotContain("pears");
      assertThat(two.scrape()).contains("pears").doesNotContain("apples");
      assertThat(one.scrape()).doesNotContain("route=\"/health/live\"");
      assertThat(two.scrape()).contains("vertx_http_server_requests_total");
    }
  }

  @Test
  void theFiguresOfTwoPortsAreApart() {
    List<Integer> ports = FreePorts.find(2);
    try (Metrics metrics = Metrics.create()) {
      Vertx vertx = metrics.vertx(new VertxOptions()).build();
      for (int port : ports) {
        HttpServer server = vertx.createHttpServer().requestHandler(r -> r.response().end());
        Futures.result("it listens", server.listen(port, "127.0.0.1"));
        HttpClient client = vertx.createHttpClient();
        Futures.result(
            "an answer",
            client
                .request(HttpMethod.GET, port, "127.0.0.1", "/")
                .compose(HttpClientRequest::send));
      }
      String scrape = metrics.scrape(MetricsFormat.PROMETHEUS_TEXT);
      for (int port : ports) {
        String active = "vertx_http_server_active_connections{local=\"127.0.0.1:" + port + "\"}";
        assertThat(scrape).contains(active + " 1.0");
      }
      Futures.result("Vert.x closes", vertx.close());
    }
  }

  @Test
  void openMetricsIsWrittenToWhomAsksForIt() {
    try (BusyNode busy = new BusyNode(directory)) {
      HttpResponse<String> plain = busy.node.get("/metrics", "Accept", "*/*");
      assertThat(plain.headers().firstValue("content-type"))
          .hasValue("text/plain; version=0.0.4; charset=utf-8");
      HttpResponse<String> open =
          busy.node.get(
              "/metrics",
              "Accept",
              "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5");
      assertThat(open.headers().firstValue("content-type"))
          .hasValue("application/openmetrics-text; version=1.0.0; charset=utf-8");
      assertThat(open.body()).endsWith("# EOF\n").contains("# TYPE weir_service_completed counter");
    }
  }

  @Test
  void aMethodThatAClientInventsMakesNoNewSeries() throws Exception {
    try (Node node = Node.start(directory)) {
      node.request("INVENTED", "/metrics");
      assertThat(node.scrape()).contains("vertx_http_server_requests_total").doesNotContain("INVE");
    }
  }
}
