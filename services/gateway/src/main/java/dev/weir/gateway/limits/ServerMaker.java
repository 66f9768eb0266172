package dev.weir.gateway.limits;

import dev.weir.gateway.metrics.Vertx50;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the HTTP server of a port and has its connections watched. */
public interface ServerMaker {
  /**
   * @param options of the server; may be changed
   * @return a server without a request handler that does not listen yet
   */
  HttpServer create(Vertx vertx, HttpServerOptions options, Connections connections);

  /**
   * The server of {@code dev.weir.gateway.vertx50}, or {@link PlainServer} where this Vert.x has
   * not what that needs.
   */
  static ServerMaker best() {
    return either(
        (vertx, options, connections) ->
            Vertx50.make(ServerMaker.class, "GuardedServer").create(vertx, options, connections),
        plain());
  }

  /** Makes servers by the public methods of Vert.x; see {@link PlainServer}. */
  static ServerMaker plain() {
    return new PlainServer();
  }

  /** Makes servers by the first, or by the second if the first does not fit this Vert.x. */
  static ServerMaker either(ServerMaker first, ServerMaker second) {
    return (vertx, options, connections) -> {
      try {
        return first.create(vertx, new HttpServerOptions(options), connections);
      } catch (LinkageError e) {
        Logger log = LoggerFactory.getLogger(ServerMaker.class);
        log.warn(
            "Without {} connections are counted and timed only from their"
                + " first request on, and the framing of HTTP/1 requests is checked by Netty alone",
            e.getMessage());
        return second.create(vertx, options, connections);
      }
    };
  }
}
