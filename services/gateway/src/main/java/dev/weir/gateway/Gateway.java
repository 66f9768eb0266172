package dev.weir.gateway;

import dev.weir.flow.OptionReader;
import dev.weir.flow.Weir;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.util.List;

/**
 * HTTP in front of the services of a {@link Weir}. All methods may be called from any thread and do
 * not block.
 */
public final class Gateway {
  private final HttpServer server;

  private Gateway(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts to listen.
   *
   * @param options copied
   * @return fails if the port is taken or cannot be bound
   */
  public static Future<Gateway> start(Vertx vertx, Weir weir, GatewayOptions options) {
    OptionReader.notNull("vertx", vertx);
    OptionReader.notNull("weir", weir);
    OptionReader.notNull("options", options);
    Router router = Router.router(vertx);
    routes().forEach(routes -> routes.mount(router));
    return vertx
        .createHttpServer(
            new HttpServerOptions().setHost(options.getHost()).setPort(options.getPort()))
        .requestHandler(router)
        .listen()
        .map(Gateway::new);
  }

  /** In the order in which a request is offered to them. */
  private static List<Routes> routes() {
    return List.of();
  }

  /** The port it listens on. */
  public int port() {
    return server.actualPort();
  }

  /** Stops listening and closes what is open. */
  public Future<Void> close() {
    return server.close();
  }
}
