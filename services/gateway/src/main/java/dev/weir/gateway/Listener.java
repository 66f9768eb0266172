package dev.weir.gateway;

import dev.weir.gateway.limits.Connections;
import dev.weir.gateway.limits.ServerMaker;
import dev.weir.gateway.security.Tls;
import dev.weir.options.ByteBudget;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.util.concurrent.TimeUnit;

/** A port of a gateway: makes its HTTP server and limits its connections and requests. */
final class Listener {
  private final Vertx vertx;
  private final GatewayOptions options;
  private final LimitOptions limits;
  private final PortState port;
  private final Connections connections;

  /**
   * @param options those of this port, with its limits
   * @param bodies what the port may hold of them, with others
   */
  Listener(Vertx vertx, GatewayOptions options, ByteBudget bodies) {
    this.vertx = vertx;
    this.options = options;
    this.limits = options.getLimits();
    this.port = PortState.join(vertx, options, bodies);
    this.connections =
        new Connections(
            vertx, limits, port.connections(), port.requests(), options.isHttp2UpgradeAllowed());
  }

  /**
   * A server that takes only the connections, and of each only as much, as is allowed.
   *
   * @param tls null for none
   */
  HttpServer createServer(ServerMaker servers, HttpServerOptions server, Tls tls) {
    server
        .setMaxHeaderSize(limits.getMaxHeaderBytes())
        .setMaxInitialLineLength(limits.getMaxRequestLineBytes())
        .setSslHandshakeTimeout(limits.getHeaderTimeoutMs())
        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
        .setTcpKeepAlive(true);
    server
        .getInitialSettings()
        .setMaxConcurrentStreams(port.requests().maxStreams())
        .setMaxHeaderListSize(limits.getMaxHeaderBytes());
    if (tls != null) {
      tls.configure(server);
    }
    return servers.create(vertx, server, connections);
  }

  /** Before all other routes. */
  void mount(Router router) {
    router.route().handler(port.requests());
  }

  /** Closes slow connections from now on. */
  void watch() {
    connections.watch();
  }

  /** What all gateways of the port have in common. */
  PortState port() {
    return port;
  }

  /** Once, also if it was never watched. */
  void close() {
    PortState.leave(vertx, options);
    connections.close();
  }
}
