package dev.weir.gateway.limits;

import io.netty.channel.Channel;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;

/**
 * Makes an HTTP server with the public API of Vert.x only, which shows a connection at its first
 * request. A connection without a request is neither counted nor closed.
 */
final class PlainServer implements ServerMaker {
  @Override
  public HttpServer create(Vertx vertx, HttpServerOptions options, Connections connections) {
    return vertx
        .createHttpServer(options)
        .connectionHandler(connection -> connected(connection, connections, options))
        .exceptionHandler(connections::failed);
  }

  private static void connected(
      HttpConnection connection, Connections connections, HttpServerOptions options) {
    Channel channel = WatchedConnection.channel(connection);
    connections.begin(channel, options);
    connections.speaks(connection);
    if (!connections.arrive(channel)) {
      channel.close();
    }
  }
}
