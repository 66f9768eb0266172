package dev.weir.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import brave.Tracing;
import brave.handler.MutableSpan;
import brave.handler.SpanHandler;
import brave.propagation.TraceContext;
import dev.weir.flow.RunOn;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.spi.VertxTracerFactory;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;
import io.vertx.tracing.zipkin.ZipkinTracerFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What OpenTelemetry and Zipkin export of an event that a client posts to a program of the
 * launcher: the service "orders" keeps it on disk, and its handler asks the service "stock".
 */
class LaunchedTracingTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CLIENT = "00f067aa0ba902b7";

  @TempDir Path directory;
  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
          .build();
  private final List<String> said = new ArrayList<>();

  /** What Zipkin exports. */
  private final Queue<MutableSpan> zipkin = new ConcurrentLinkedQueue<>();

  /** A span that has ended, of either. */
  private record Ended(String trace, String id, String parent, String name) {}

  private List<Ended> ended() {
    return Stream.concat(
            spans.getFinishedSpanItems().stream()
                .map(
                    span ->
                        new Ended(
                            span.getTraceId(),
                            span.getSpanId(),
                            span.getParentSpanId(),
                            span.getName())),
            zipkin.stream()
                .map(span -> new Ended(span.traceId(), span.id(), span.parentId(), span.name())))
        .toList();
  }

  @AfterEach
  void close() {
    GlobalOpenTelemetry.resetForTest();
    sdk.close();
  }

  @Test
  void theTracerThatTheServiceNamesSeesAnEventAsOneTree() throws Exception {
    assertOneTree(new Orders(new OpenTelemetryTracingFactory(sdk)));
  }

  @Test
  void theTracerThatTheOptionsNameSeesAnEventAsOneTree() throws Exception {
    GlobalOpenTelemetry.resetForTest();
    GlobalOpenTelemetry.set(sdk);
    assertOneTree(new Orders(null), "-options", "{\"tracingOptions\":{}}");
  }

  @Test
  void zipkinSeesAnEventAsOneTree() throws Exception {
    SpanHandler keeping =
        new SpanHandler() {
          @Override
          public boolean end(TraceContext context, MutableSpan span, Cause cause) {
            zipkin.add(new MutableSpan(span));
            return true;
          }
        };
    try (Tracing tracing =
        Tracing.newBuilder().supportsJoin(false).addSpanHandler(keeping).build()) {
      assertOneTree(new Orders(new ZipkinTracerFactory(tracing)));
    }
  }

  private void assertOneTree(Orders orders, String... args) throws Exception {
    LaunchCommand command = CommandReader.read(orders, args);
    Settings settings = new Settings(LaunchOptions.defaults(orders));
    settings.environment(
        Map.of("WEIR_HTTP_PORT", "0", "WEIR_STORE_DIRECTORY", directory.toString()));
    Running running = new Running(orders, new LaunchOptions(settings.toJson(), orders), said::add);
    Vertx vertx = running.vertx(new VertxOptions(command.vertxOptions())).build();
    try {
      running.serve(vertx, null);
      Futures.result("it serves", vertx.deployVerticle(running.newInstance()));
      running.ready();
      assertThat(post()).isEqualTo(202);
      String expected =
          """
          POST
            send
              process
                send
                  send
          """;
      Await.until(
          () -> "as many spans end as are expected: " + tree(CLIENT, ""),
          () -> ended().size() >= expected.lines().count());
      assertThat(tree(CLIENT, "")).isEqualTo(expected);
      assertThat(ended()).extracting(Ended::trace).containsOnly(TRACE);
    } finally {
      Futures.result("it stops", running.stop());
      Futures.result("vert.x closes", vertx.close());
    }
  }

  private int post() throws Exception {
    String url = said.get(said.size() - 1).replace("ready at ", "") + "services/orders/events";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/json")
            .header("traceparent", "00-" + TRACE + "-" + CLIENT + "-01")
            .header("b3", TRACE + "-" + CLIENT + "-1")
            .POST(BodyPublishers.ofString("\"one\""))
            .build();
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .build()
        .send(request, BodyHandlers.ofString())
        .statusCode();
  }

  /** The names of the spans below one. */
  private String tree(String parent, String indent) {
    return ended().stream()
        .filter(span -> parent.equals(span.parent))
        .map(span -> indent + span.name + "\n" + tree(span.id, indent + "  "))
        .sorted()
        .collect(Collectors.joining());
  }

  /** Its handler runs on a worker, as that of the archetype does. */
  private static final class Orders implements LaunchedService {
    private final VertxTracerFactory tracing;

    Orders(VertxTracerFactory tracing) {
      this.tracing = tracing;
    }

    @Override
    public VertxTracerFactory tracing() {
      return tracing;
    }

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
      ServiceOptions stock = new ServiceOptions().setDiskBytes(0);
      return weir.serve("stock", stock, message -> Future.succeededFuture("there"))
          .compose(
              served ->
                  weir.serve(
                      "orders",
                      new ServiceOptions().setRunOn(RunOn.WORKER),
                      message -> weir.request("stock", message.body(), new DeliveryOptions())));
    }

    @Override
    public void stop() {}
  }
}
