package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.health.Health;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.gateway.metrics.MetricsFormat;
import dev.weir.options.ByteBudget;
import dev.weir.testing.FreePorts;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Several gateways that serve one port, as a program with several instances has them. */
class SharedPortTest extends GuardTestBase {
  private static final ByteBudget BODIES = new ByteBudget(1 << 20);

  private static final String ALIVE = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private static final int INSTANCES = 2;
  private static final int REPEATS = 20;

  private final List<Gateway> gateways = new CopyOnWriteArrayList<>();
  private final List<String> deployments = new ArrayList<>();
  private final GatewayOptions options = new GatewayOptions();
  private Supplier<Future<Gateway>> start = () -> Gateway.start(vertx, weir, options);

  @Test
  void aKeyIsOfOneRequestWhicheverInstanceGetsIt() throws Exception {
    AtomicInteger handled = new AtomicInteger();
    await(
        weir.<Object>serve(
            "work",
            new ServiceOptions().setDiskBytes(0),
            message -> Future.succeededFuture("reply " + handled.incrementAndGet())));
    deploy();

    List<String> replies = new ArrayList<>();
    for (int i = 0; i < REPEATS; i++) {
      replies.add(replyOnANewConnection());
    }

    assertThat(replies).allSatisfy(reply -> assertThat(reply).endsWith("\r\nreply 1"));
    assertThat(handled).hasValue(1);
  }

  @Test
  void theLimitOfConnectionsIsOfAllInstancesTogether() throws Exception {
    options.setLimits(new LimitOptions().setMaxConnections(3));
    deploy();
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        RawClient client = new RawClient(options.getPort());
        clients.add(client);
        assertThat(client.send(ALIVE).line()).endsWith("200 OK");
      }
      until("all to be counted", () -> gateways.get(0).guardStats().connections() == 3);
      assertThat(gateways.get(1).guardStats().connections()).isEqualTo(3);
      try (RawClient fourth = new RawClient(options.getPort())) {
        assertThat(fourth.answer(ALIVE)).isEmpty();
      }
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
    until("all to be gone", () -> gateways.get(0).guardStats().connections() == 0);
  }

  @Test
  void theFiguresAreOfAllInstancesTogether() throws Exception {
    Promise<Object> reply = Promise.promise();
    await(
        weir.<Object>serve(
            "work", new ServiceOptions().setDiskBytes(0), message -> reply.future()));
    deploy();
    List<RawClient> waiting = new ArrayList<>();
    try {
      for (int i = 0; i < REPEATS; i++) {
        waiting.add(new RawClient(options.getPort()).send(request("localhost")));
      }
      until("all to wait", () -> gateways.get(0).guardStats().callsInFlight() == REPEATS);
      assertThat(gateways.get(1).guardStats().callsInFlight()).isEqualTo(REPEATS);
      reply.complete("done");
      until("all to be answered", () -> gateways.get(1).guardStats().callsInFlight() == 0);
    } finally {
      for (RawClient client : waiting) {
        client.close();
      }
    }

    for (int i = 0; i < REPEATS; i++) {
      try (RawClient client = new RawClient(options.getPort())) {
        assertThat(client.send(request("elsewhere.example")).rest()).contains(" 403 ");
      }
    }
    assertThat(gateways)
        .allSatisfy(each -> assertThat(each.guardStats().deniedRequests()).isEqualTo(REPEATS));
  }

  @Test
  void instancesOfOneNodeStartAndTheFiguresStayUntilTheLastIsUndeployed() throws Exception {
    Metrics metrics = Metrics.create().bind(weir);
    Health health = Health.of(weir, new HealthOptions());
    start = () -> Gateway.start(vertx, weir, options, metrics, health);
    deploy();
    assertThat(deployments).hasSize(INSTANCES);
    assertThat(metrics.scrape(MetricsFormat.of(null))).contains("weir_gateway_connections ");
    assertThat(health.report().ready()).isTrue();

    await(vertx.undeploy(deployments.get(0)));

    try (RawClient client = new RawClient(options.getPort())) {
      assertThat(client.send(request("elsewhere.example")).rest()).contains(" 403 ");
    }
    // Figures are read anew after 50 ms.
    until(
        "the refusal to be shown",
        () ->
            metrics
                .scrape(MetricsFormat.of(null))
                .contains("weir_gateway_denied_requests_total 1.0"));
    assertThat(metrics.scrape(MetricsFormat.of(null)))
        .contains("weir_gateway_connections ", "weir_gateway_check{check=\"gateway\"} 1");
    gateways.get(1).drain();
    assertThat(health.report().toJson().encode()).contains("draining");

    await(vertx.undeploy(deployments.get(1)));

    assertThat(metrics.scrape(MetricsFormat.of(null)))
        .doesNotContain("weir_gateway_connections ", "check=\"gateway\"");
    assertThat(health.report().toJson().encode()).doesNotContain("gateway");
    metrics.close();
  }

  @Test
  void whatIsSharedGoesWithTheLastGateway() {
    options.setPort(1);
    PortState first = PortState.join(vertx, options, BODIES);
    assertThat(PortState.join(vertx, new GatewayOptions(options), BODIES)).isSameAs(first);
    PortState.leave(vertx, options);
    assertThat(PortState.join(vertx, options, BODIES)).isSameAs(first);
    PortState.leave(vertx, options);
    PortState.leave(vertx, options);
    assertThat(PortState.join(vertx, options, BODIES)).isNotSameAs(first);
    Vertx other = Vertx.vertx();
    assertThat(PortState.join(other, options, BODIES))
        .isNotSameAs(PortState.join(vertx, options, BODIES));
    other.close();
  }

  private String replyOnANewConnection() throws IOException {
    try (RawClient client = new RawClient(options.getPort())) {
      return client.send(request("localhost\r\nIdempotency-Key: k")).rest();
    }
  }

  private static String request(String host) {
    return "POST /services/work HTTP/1.1\r\nHost: "
        + host
        + "\r\nConnection: close\r\nContent-Type: application/json\r\n"
        + "Content-Length: 2\r\n\r\n{}";
  }

  /** Each on an event loop of its own, closed after the test. */
  private void deploy() throws Exception {
    options.setPort(FreePorts.one());
    for (int i = 0; i < INSTANCES; i++) {
      deployOne();
    }
    started(gateways);
  }

  private void deployOne() throws Exception {
    deployments.add(
        await(
            vertx.deployVerticle(
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    return start.get().onSuccess(gateways::add);
                  }
                })));
  }
}
