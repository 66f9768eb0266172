package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.vertx.Contexts;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Health, metrics and administration on a port of their own. */
class ManagementPortTest extends GuardTestBase {
  private static final int PROBES = 50;

  /** One more than there are instances of the gateway. */
  private static final int LOOPS = 3;

  private static final List<String> MANAGEMENT =
      List.of("/health/live", "/health/ready", "/metrics", "/");

  private final GatewayOptions options = new GatewayOptions().setManagementPort(0);
  private final LimitOptions limits = new LimitOptions();
  private final Promise<Object> reply = Promise.promise();

  @Test
  void probesAreAnsweredAtTheLimitOfRequests() throws Exception {
    Gateway gateway = start(options.setLimits(limits.setMaxRequestsInFlight(3)));
    serveSlowly();
    List<RawClient> flood = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      flood.add(new RawClient(gateway.port()).send(POST));
    }
    until("all to be in flight", () -> gateway.guardStats().requestsInFlight() == 3);

    for (int i = 0; i < PROBES; i++) {
      assertThat(status(gateway.port(), POST)).as("a request of the flood").isEqualTo("503");
      assertProbesAreAnswered(gateway);
    }

    reply.complete("done");
    for (RawClient client : flood) {
      assertThat(client.line()).endsWith("200 OK");
      client.close();
    }
  }

  @Test
  void probesAreAnsweredAtTheLimitOfConnections() throws Exception {
    Gateway gateway = start(options.setLimits(limits.setMaxConnections(3)));
    List<RawClient> flood = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      RawClient client = new RawClient(gateway.port());
      flood.add(client);
      assertThat(client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").line()).contains("404");
    }
    until("all to be open", () -> gateway.guardStats().connections() == 3);

    for (int i = 0; i < PROBES; i++) {
      assertThat(status(gateway.port(), POST)).as("a connection of the flood").isEqualTo("none");
      assertProbesAreAnswered(gateway);
    }

    for (RawClient client : flood) {
      client.close();
    }
  }

  /** For instance by the start of a verticle of which another part has failed. */
  @Test
  void aGatewayThatAVerticleStartsWhichIsGoneAlreadyIsClosed() throws Exception {
    Vertx own = Vertx.vertx();
    try {
      Context[] gone = new Context[1];
      Deployable verticle =
          context -> {
            gone[0] = context;
            return Future.succeededFuture();
          };
      await(own.deployVerticle(verticle).compose(own::undeploy));
      Weir weir = Weir.create(own);
      GatewayOptions any = new GatewayOptions().setHost("127.0.0.1").setPort(0);
      Promise<Gateway> late = Promise.promise();
      gone[0].runOnContext(v -> Gateway.start(own, weir, any).onComplete(late));
      int port = await(late.future()).port();
      Await.until("the port is free", () -> isFree(port));
    } finally {
      await(own.close());
    }
  }

  /** Whichever event loop of Vert.x is the next when a gateway starts. */
  @Test
  void probesAreAnsweredWhileTheEventLoopsOfTheServicesAreBusy() throws Exception {
    for (int turns = 0; turns < LOOPS; turns++) {
      Vertx few = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(LOOPS));
      CountDownLatch end = new CountDownLatch(1);
      Map<Executor, Context> loops = new ConcurrentHashMap<>();
      int port = FreePorts.one();
      int management = FreePorts.one();
      try {
        for (int instance = 0; instance < LOOPS - 1; instance++) {
          await(few.deployVerticle(new Instance(port, management, turns, loops)));
        }
        CountDownLatch busy = new CountDownLatch(loops.size());
        loops.values().forEach(each -> each.runOnContext(now -> block(busy, end)));
        assertThat(busy.await(PATIENCE_S, TimeUnit.SECONDS)).as("they are busy").isTrue();

        for (int probe = 0; probe < 2 * LOOPS; probe++) {
          assertThat(status(management, get("/health/live"))).isEqualTo("200");
        }
      } finally {
        end.countDown();
        await(few.close());
      }
    }
  }

  /** One of several gateways that share their ports. */
  private static final class Instance extends VerticleBase {
    private final GatewayOptions options = new GatewayOptions();
    private final int turns;
    private final Map<Executor, Context> loops;

    /**
     * @param turns of event loops that others take before the gateway starts
     */
    Instance(int port, int management, int turns, Map<Executor, Context> loops) {
      options.setPort(port).setManagementPort(management);
      this.turns = turns;
      this.loops = loops;
    }

    @Override
    public Future<?> start() {
      loops.put(Contexts.eventLoop(context), context);
      for (int i = 0; i < turns; i++) {
        Contexts.newEventLoop(vertx);
      }
      return Gateway.start(vertx, Weir.create(vertx), options);
    }
  }

  private static void block(CountDownLatch busy, CountDownLatch end) {
    busy.countDown();
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  @Test
  void eachPortServesItsOwnRoutesOnly() throws Exception {
    Gateway gateway = start(options);
    assertThat(gateway.managementPort()).isNotEqualTo(gateway.port());
    for (String path : MANAGEMENT) {
      assertThat(status(gateway.port(), get(path))).as(path).isEqualTo("404");
    }
    assertThat(status(gateway.port(), get("/admin/services"))).isEqualTo("404");
    assertThat(status(gateway.managementPort(), get("/admin/services"))).isEqualTo("403");
    assertThat(status(gateway.managementPort(), POST)).isEqualTo("404");
    for (int port : List.of(gateway.port(), gateway.managementPort())) {
      assertThat(status(port, get("/openapi.json"))).isEqualTo("200");
    }
  }

  @Test
  void withoutAManagementPortThePortServesAll() throws Exception {
    Gateway gateway = start(new GatewayOptions());
    assertThat(gateway.managementPort()).isEqualTo(gateway.port());
    for (String path : MANAGEMENT) {
      assertThat(status(gateway.port(), get(path))).as(path).isEqualTo("200");
    }
  }

  @Test
  void aTakenManagementPortIsNamedAndThePortIsFreedAgain() throws Exception {
    int port = FreePorts.one();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      options.setPort(port).setManagementPort(taken.getLocalPort());
      assertThatThrownBy(() -> await(Gateway.start(vertx, weir, options)))
          .isInstanceOf(BindException.class)
          .hasMessageStartingWith(
              "port " + taken.getLocalPort() + " cannot be had on host 127.0.0.1: ");
    }
    // A selector of the JDK lets go of a closed port at its next turn only.
    Await.until("the port is free again", () -> isFree(port));
  }

  private static boolean isFree(int port) {
    try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return free.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void bothPortsCannotBeTheSame() {
    options.setPort(4711).setManagementPort(4711);
    assertThatThrownBy(() -> await(Gateway.start(vertx, weir, options)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("managementPort is 4711, which is port too");
  }

  @Test
  void programsHaveAManagementPortAboveTheirPort() {
    assertThat(ManagementPort.defaultFor(8080)).isEqualTo(9080);
    assertThat(ManagementPort.defaultFor(0)).isZero();
    assertThat(ManagementPort.defaultFor(65_000)).isEqualTo(64_000);
  }

  private static final String POST =
      "POST /services/slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Content-Type: text/plain\r\nContent-Length: 1\r\n\r\nx";

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  }

  private void serveSlowly() throws Exception {
    await(
        weir.<Object>serve(
            "slow", new ServiceOptions().setDiskBytes(0), message -> reply.future()));
  }

  private void assertProbesAreAnswered(Gateway gateway) throws IOException {
    for (String path : MANAGEMENT) {
      assertThat(status(gateway.managementPort(), get(path))).as(path).isEqualTo("200");
    }
  }

  /** The status of the answer, or "none" if the connection is closed without one. */
  private static String status(int port, String request) throws IOException {
    try (RawClient client = new RawClient(port)) {
      String answer = client.answer(request);
      return answer.isEmpty() ? "none" : answer.split(" ")[1];
    }
  }
}
