package dev.weir.bench.eventbus;

import dev.weir.bench.report.RowBuilder;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.GatewayOptions;
import io.vertx.core.internal.ContextInternal;
import java.io.IOException;

/**
 * A stage with a gateway: client and servers have an event loop each, and the gateway shares that
 * of the bare server with the services behind it. Its methods block the caller, which is none of
 * Vert.x's threads.
 */
final class HttpStage implements AutoCloseable {
  /** The loopback. */
  static final String HOST = "127.0.0.1";

  private final Stage stage;
  private final ContextInternal server;
  private final LoopCpu clientCpu;
  private final LoopCpu serverCpu;
  private final Gateway gateway;

  private HttpStage(Stage stage) throws InterruptedException {
    this.stage = stage;
    this.server = stage.elsewhere(stage.sender());
    this.clientCpu = LoopCpu.of(client());
    this.serverCpu = LoopCpu.of(server);
    GatewayOptions options = new GatewayOptions().setHost(HOST).setPort(0);
    this.gateway =
        Stage.await(Stage.call(server, () -> Gateway.start(stage.vertx(), stage.weir(), options)));
  }

  /** Starts a gateway on a stage, which is closed with it. */
  static HttpStage on(Stage stage) throws InterruptedException, IOException {
    try {
      return new HttpStage(stage);
    } catch (InterruptedException | RuntimeException e) {
      stage.close();
      throw e;
    }
  }

  Stage stage() {
    return stage;
  }

  ContextInternal client() {
    return stage.sender();
  }

  ContextInternal server() {
    return server;
  }

  LoopCpu clientCpu() {
    return clientCpu;
  }

  LoopCpu serverCpu() {
    return serverCpu;
  }

  int gatewayPort() {
    return gateway.port();
  }

  /** States how the row was measured, and where. */
  static RowBuilder describe(Settings settings, RowBuilder row) {
    row.extra("transport", "loopback TCP")
        .extra("processes", 1)
        .extra("eventLoops", 2)
        .extra("topology", "client on an event loop, servers and service on another")
        .extra("durability", "none: requests need none");
    return settings.addScaleTo(row);
  }

  @Override
  public void close() throws IOException {
    try {
      Stage.await(gateway.close());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      stage.close();
    }
  }
}
