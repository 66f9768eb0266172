package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.Role;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.GatewayOptions;
import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What OpenTelemetry exports of one HTTP request that passes services, the disk tier and members of
 * a group. The gateway is on the member "front", the group "ledger" has its primary on another one,
 * and the service "stock" is on the third one.
 */
@Tag("slow")
@Timeout(300)
class GroupTracingTest {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final AttributeKey<String> MEMBER = AttributeKey.stringKey("service.name");
  private static final AttributeKey<String> TO =
      AttributeKey.stringKey("messaging.destination.name");
  private static final AttributeKey<String> FAILURE = AttributeKey.stringKey("exception.message");
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CLIENT = "00f067aa0ba902b7";
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir private static Path directory;

  private static final InMemorySpanExporter SPANS = InMemorySpanExporter.create();
  private static final List<TestMember> MEMBERS = new ArrayList<>();
  private static final List<Groups> GROUPS = new ArrayList<>();
  private static final List<GroupService> LEDGER = new ArrayList<>();
  private static TestMember front;
  private static TestMember primary;
  private static TestMember third;
  private static Gateway gateway;

  @BeforeAll
  static void serve() {
    List<Integer> ports = FreePorts.find(2 * NAMES.size());
    for (int i = 0; i < NAMES.size(); i++) {
      TestMember member = member(NAMES.get(i), ports, i);
      MEMBERS.add(member);
      GROUPS.add(Futures.result("groups", Groups.start(member.vertx, member.weir, member.node)));
    }
    for (Groups groups : GROUPS) {
      // A busy machine changes no roles: a span says which member it is of.
      GroupOptions options =
          new GroupOptions()
              .setMembers(NAMES)
              .setMinInSync(2)
              .setLeaseMs(10_000)
              .setTakeoverMs(20_000);
      LEDGER.add(Futures.result("the ledger", groups.serveGroup("ledger", options, Orders::new)));
    }
    Await.until(
        "there is a primary",
        () -> LEDGER.stream().anyMatch(each -> each.group().stats().accepting()));
    List<TestMember> others = new ArrayList<>(MEMBERS);
    primary = others.remove(primaryIndex());
    front = others.get(0);
    third = others.get(1);
    gateway =
        Futures.result(
            "a gateway", Gateway.start(front.vertx, front.weir, new GatewayOptions().setPort(0)));
    Futures.result(
        "stock",
        third.weir.serve(
            "stock",
            new ServiceOptions().setDiskBytes(0),
            message -> Future.succeededFuture("there")));
    Futures.result(
        "notes",
        primary.weir.serve("notes", new ServiceOptions(), message -> Future.succeededFuture()));
  }

  private static TestMember member(String name, List<Integer> ports, int index) {
    OpenTelemetrySdk sdk =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .setResource(Resource.create(Attributes.of(MEMBER, name)))
                    .addSpanProcessor(SimpleSpanProcessor.create(SPANS))
                    .build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
    return new TestMember(
        new NodeOptions(),
        name,
        ports.get(index),
        ports.get(NAMES.size() + index),
        ports.subList(0, NAMES.size()),
        directory.resolve(name),
        new OpenTelemetryTracingFactory(sdk));
  }

  private static int primaryIndex() {
    for (int i = 0; i < LEDGER.size(); i++) {
      if (LEDGER.get(i).group().stats().role() == Role.PRIMARY) {
        return i;
      }
    }
    throw new AssertionError("no primary");
  }

  @AfterAll
  static void close() {
    Futures.result("the gateway is closed", gateway.close());
    GROUPS.forEach(groups -> Futures.result("groups are closed", groups.close()));
    MEMBERS.forEach(TestMember::close);
  }

  @BeforeEach
  void forget() {
    SPANS.reset();
  }

  /** The handler of orders: asks the second service, then the group through this member. */
  private static Future<?> order(ServiceMessage<Object> message, Future<?> busy) {
    if (message.body().equals("first")) {
      return busy;
    }
    return front
        .vertx
        .eventBus()
        .request("stock", "how many")
        .compose(
            there ->
                front
                    .vertx
                    .eventBus()
                    .request(
                        "ledger",
                        new JsonObject()
                            .put("order", "o1")
                            .put("pay", "stock")
                            .put("note", "notes"),
                        new DeliveryOptions().setLocalOnly(true)))
        .map(done -> null);
  }

  private static String post(String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + path))
            .header("Content-Type", "application/json")
            .header("traceparent", "00-" + TRACE + "-" + CLIENT + "-01")
            .POST(BodyPublishers.ofString(body))
            .build();
    return "" + HTTP.send(request, BodyHandlers.ofString()).statusCode();
  }

  private static String place(SpanData span) {
    String name = span.getResource().getAttribute(MEMBER);
    if (name.equals(front.node.options().getMemberName())) {
      return "front";
    }
    return name.equals(primary.node.options().getMemberName()) ? "primary" : "third";
  }

  /** The spans below one, each with its operation, address and member, ordered by these. */
  private static String tree(String parent, String indent) {
    return SPANS.getFinishedSpanItems().stream()
        .filter(span -> span.getParentSpanId().equals(parent))
        .map(
            span ->
                (indent + span.getName() + " " + span.getAttributes().get(TO) + " " + place(span))
                    + "\n"
                    + tree(span.getSpanId(), indent + "  "))
        .sorted()
        .collect(Collectors.joining());
  }

  private static Stream<SpanData> failed(String operation) {
    return SPANS.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(operation))
        .filter(span -> "ledger".equals(span.getAttributes().get(TO)))
        .filter(
            span ->
                span.getEvents().stream()
                    .anyMatch(event -> "not today".equals(event.getAttributes().get(FAILURE))));
  }

  @Test
  void aRequestThroughTheDiskTierTwoServicesAndAGroupIsOneTreeOverThreeMembers() throws Exception {
    Promise<Void> busy = Promise.promise();
    Service orders =
        Futures.result(
            "orders",
            front.weir.<Object>serve(
                "orders",
                new ServiceOptions().setWorkers(1).setMemoryMessages(0),
                message -> order(message, busy.future())));
    Futures.result("a message", front.weir.send("orders", "first", Durability.PROCESS));
    Await.until("the worker is busy", () -> orders.stats().busyWorkers() == 1);
    assertThat(post("/services/orders/events", "\"second\"")).isEqualTo("202");
    Await.until("the second waits on disk", () -> orders.stats().waitingOnDisk() == 1);
    busy.complete();

    String expected =
        """
        POST null front
          send orders front
            process orders front
              send ledger front
                send ledger front
                  send ledger front
                    process ledger primary
                      create notes primary
                        process notes primary
                      create stock primary
                        send stock third
              send stock front
                send stock third
        """;
    Await.until(
        () -> "as many spans end as are expected: " + tree(CLIENT, ""),
        () -> tree(CLIENT, "").lines().count() >= expected.lines().count());
    assertThat(tree(CLIENT, "")).isEqualTo(expected);
    assertThat(SPANS.getFinishedSpanItems())
        .as("spans beside the tree: what comes without a trace has none")
        .hasSize((int) expected.lines().count())
        .allSatisfy(span -> assertThat(span.getTraceId()).isEqualTo(TRACE));
    Futures.result("closed", orders.close());
  }

  @Test
  void theSpansOfARefusalOfTheGroupHaveItAsTheirFailure() throws Exception {
    String body = new JsonObject().put("order", "o2").put("refuse", true).encode();
    assertThat(post("/services/ledger", body)).isEqualTo("500");
    Await.until("the handler's span ends", () -> failed("process").count() == 1);
    Await.until("the sender's span ends", () -> failed("send").count() >= 1);
    // None is left that would end while another test looks.
    Await.until(
        () -> "all spans around the handler's end: " + tree(CLIENT, ""),
        () -> tree(CLIENT, "").contains("process ledger"));
  }
}
