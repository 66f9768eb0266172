package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.report.Row;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.GatewayOptions;
import io.vertx.core.Context;
import java.io.IOException;

/**
 * A {@link ServiceFixture} with a gateway. The client has one event loop; the gateway, its services
 * and the bare server share another. Its methods block the caller, which is none of Vert.x's
 * threads.
 */
final class HttpFixture implements AutoCloseable {
  /** The loopback. */
  static final String HOST = "127.0.0.1";

  private final ServiceFixture fixture;
  private final Context server;
  private final LoopCpuTime clientCpu;
  private final LoopCpuTime serverCpu;
  private final Gateway gateway;

  private HttpFixture(ServiceFixture fixture) throws InterruptedException {
    this.fixture = fixture;
    this.server = fixture.elsewhere(fixture.loop());
    this.clientCpu = LoopCpuTime.of(client());
    this.serverCpu = LoopCpuTime.of(server);
    GatewayOptions options = new GatewayOptions().setHost(HOST).setPort(0);
    this.gateway =
        ServiceFixture.await(
            ServiceFixture.call(
                server, () -> Gateway.start(fixture.vertx(), fixture.weir(), options)));
  }

  /** Starts a gateway on the fixture; closing the gateway closes the fixture too. */
  static HttpFixture on(ServiceFixture fixture) throws InterruptedException, IOException {
    try {
      return new HttpFixture(fixture);
    } catch (InterruptedException | RuntimeException e) {
      fixture.close();
      throw e;
    }
  }

  ServiceFixture fixture() {
    return fixture;
  }

  Context client() {
    return fixture.loop();
  }

  Context server() {
    return server;
  }

  LoopCpuTime clientCpu() {
    return clientCpu;
  }

  LoopCpuTime serverCpu() {
    return serverCpu;
  }

  int gatewayPort() {
    return gateway.port();
  }

  /** States in the row how its messages moved. */
  static Row describe(Row row) {
    return row.column("client", "in the JVM")
        .extra("transport", "loopback TCP")
        .extra("processes", 1)
        .extra("eventLoops", 2)
        .extra("topology", "client on an event loop, servers and service on another")
        .extra("durability", "none: requests need none");
  }

  @Override
  public void close() throws IOException {
    try {
      ServiceFixture.await(gateway.close());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      fixture.close();
    }
  }
}
