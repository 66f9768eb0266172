package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.flow.RunOn;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.RecordingTracer.Span;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The spans of one request are one tree: from the gateway over the bus, through a tier, to the
 * handler and to the service that the handler asks. The service "stock" is the second service.
 */
class TracingTest extends GatewayTestBase {
  private static final String[] OVER_THE_BUS = {"send", "send", "send", "send", "POST"};
  private static final String[] THROUGH_A_HANDLER_SPAN = {
    "send", "send", "process", "send", "POST"
  };

  private final RecordingTracer tracer = new RecordingTracer();
  private final Promise<Object> busy = Promise.promise();

  @Override
  Vertx newVertx() {
    return Vertx.builder().withTracer(options -> tracer).build();
  }

  @BeforeEach
  void serveStock() {
    serve("stock", memoryOnly(), message -> Future.succeededFuture("there"));
  }

  private Future<?> askStock(ServiceMessage<Object> message) {
    return message.body().equals(0)
        ? busy.future()
        : weir.request("stock", message.body(), new DeliveryOptions()).map(Message::body);
  }

  private CompletableFuture<HttpResponse<String>> post(int body, String... headers) {
    return sendAsync(postJson("/services/orders", "" + body, headers));
  }

  /** The ends of the branches: a span without children each. */
  private List<Span> leaves() {
    List<Span> spans = tracer.spans();
    return spans.stream()
        .filter(span -> spans.stream().noneMatch(child -> child.parent == span.id))
        .toList();
  }

  /** The names of a span and of those above it, up to the root. */
  private List<String> way(Span leaf) {
    List<String> names = new ArrayList<>();
    int next = leaf.id;
    while (next != 0) {
      int id = next;
      Span span =
          tracer.spans().stream()
              .filter(known -> known.id == id)
              .findFirst()
              .orElseThrow(() -> new AssertionError("no span " + id + " in " + tracer.spans()));
      assertThat(span.trace).as("trace of %s", span).isEqualTo(leaf.trace);
      names.add(span.name);
      next = span.parent;
    }
    return names;
  }

  /** The spans that the second service recorded for its requests. */
  private List<Span> ofStock() {
    return leaves().stream()
        .filter(leaf -> "stock".equals(leaf.tags.get("messaging.destination.name")))
        .toList();
  }

  private List<Span> named(String name) {
    return tracer.spans().stream().filter(span -> span.name.equals(name)).toList();
  }

  private void assertEachEndedOnce() {
    Await.until(
        "all spans end: " + tracer.spans(),
        () -> tracer.spans().stream().noneMatch(span -> span.ends.isEmpty()));
    assertThat(tracer.spans()).allSatisfy(span -> assertThat(span.ends).hasSize(1));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void aRequestThatWaitedInATierIsOneTreeWithTheSecondService(int memoryMessages) {
    ServiceOptions options = new ServiceOptions().setWorkers(1).setMemoryMessages(memoryMessages);
    Service orders = serve("orders", options, this::askStock);
    CompletableFuture<HttpResponse<String>> first = post(0);
    Await.until("the worker is busy", () -> orders.stats().busyWorkers() == 1);
    CompletableFuture<HttpResponse<String>> second = post(1);
    Await.until(
        "the second waits",
        () -> orders.stats().waitingInMemory() + orders.stats().waitingOnDisk() == 1);
    busy.complete("done");
    assertThat(first.join().body()).isEqualTo("done");
    assertThat(second.join().body()).isEqualTo("there");

    assertEachEndedOnce();
    assertThat(named("POST")).hasSize(2).allSatisfy(root -> assertThat(root.parent).isZero());
    assertThat(ofStock()).hasSize(1);
    assertThat(way(ofStock().get(0)))
        .containsExactly(memoryMessages == 0 ? THROUGH_A_HANDLER_SPAN : OVER_THE_BUS);
    leaves().forEach(leaf -> assertThat(way(leaf)).endsWith("POST"));
  }

  @ParameterizedTest
  @EnumSource(RunOn.class)
  void theSecondServiceIsInTheTreeWhereverTheHandlerRuns(RunOn runOn) {
    boolean isVirtual = runOn == RunOn.VIRTUAL_THREAD;
    assumeTrue(!isVirtual || Runtime.version().feature() >= 21, "virtual threads need Java 21");
    serve("orders", memoryOnly().setRunOn(runOn), this::askStock);
    assertThat(post(1).join().body()).isEqualTo("there");
    assertEachEndedOnce();
    assertThat(way(ofStock().get(0)))
        .containsExactly(isVirtual ? THROUGH_A_HANDLER_SPAN : OVER_THE_BUS);
  }

  @Test
  void eachInstanceOfAVerticleContinuesTheTraceOfItsMessages() {
    Futures.result(
        "two instances",
        vertx.deployVerticle(
            () ->
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    return weir.serve("orders", memoryOnly(), TracingTest.this::askStock);
                  }
                },
            new DeploymentOptions().setInstances(2)));
    for (int i = 1; i <= 4; i++) {
      assertThat(post(i).join().statusCode()).isEqualTo(200);
    }
    assertEachEndedOnce();
    assertThat(ofStock()).hasSize(4);
    assertThat(ofStock())
        .allSatisfy(leaf -> assertThat(way(leaf)).endsWith("send", "POST").startsWith("send"));
    assertThat(named("process")).hasSize(2);
  }

  @Test
  void eachAttemptOfADurableMessageIsASpanWithItsIdAndDeliveryCount() {
    AtomicInteger attempts = new AtomicInteger();
    serve(
        "orders",
        new ServiceOptions().setBackoffMs(1),
        message ->
            attempts.incrementAndGet() == 1
                ? Future.failedFuture("not yet")
                : vertx.eventBus().request("stock", message.body()));
    HttpResponse<String> accepted =
        send(postJson("/services/orders/events", "1", "Idempotency-Key", "order-17"));
    assertThat(accepted.statusCode()).isEqualTo(202);
    Await.until("the second attempt is over", () -> !ofStock().isEmpty());

    assertEachEndedOnce();
    assertThat(way(ofStock().get(0))).containsExactly(THROUGH_A_HANDLER_SPAN);
    List<Span> handled = named("process");
    assertThat(handled)
        .extracting(s -> s.tags.get("weir.delivery_count"))
        .containsExactly("1", "2");
    assertThat(handled)
        .extracting(s -> s.tags.get("messaging.message.id"))
        .containsOnly("order-17")
        .hasSize(2);
    assertThat(handled.get(0).ends.peek()).contains("not yet");
    assertThat(handled.get(1).ends).containsExactly("ok");
  }

  @Test
  void aDurableMessageKeepsItsTraceOverARestart() {
    ServiceOptions options = new ServiceOptions().setDrainTimeoutMs(0);
    Service orders = serve("orders", options, message -> busy.future());
    assertThat(send(postJson("/services/orders/events", "1")).statusCode()).isEqualTo(202);
    Await.until("it is in handling", () -> orders.stats().busyWorkers() == 1);
    stop();
    start();
    serveStock();
    serve("orders", options, this::askStock);
    Await.until(
        "the second delivery asks the second service, which answers",
        () -> !ofStock().isEmpty() && !ofStock().get(0).ends.isEmpty());
    assertThat(way(ofStock().get(0))).containsExactly(THROUGH_A_HANDLER_SPAN);
    assertThat(named("process"))
        .extracting(span -> span.tags.get("weir.delivery_count"))
        .containsExactly("1", "2");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void aRequestWhoseClientGaveUpWhileItWaitedLeavesNoSpanOpen(int memoryMessages) {
    ServiceOptions options = new ServiceOptions().setWorkers(1).setMemoryMessages(memoryMessages);
    Service orders = serve("orders", options, this::askStock);
    CompletableFuture<HttpResponse<String>> first = post(0);
    Await.until("the worker is busy", () -> orders.stats().busyWorkers() == 1);
    assertThat(post(1, "Weir-Timeout-Ms", "50").join().statusCode()).isEqualTo(504);
    busy.complete("done");
    assertThat(first.join().statusCode()).isEqualTo(200);
    assertEachEndedOnce();
    assertThat(ofStock()).isEmpty();
  }
}
