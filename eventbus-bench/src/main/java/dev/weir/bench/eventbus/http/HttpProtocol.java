package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.http.HttpConnections.HttpEndpoint;
import dev.weir.bench.program.Names;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** The protocols, with their names in the results. */
enum HttpProtocol {
  HTTP1 {
    @Override
    Future<HttpConnections> connect(Vertx vertx, HttpEndpoint target, int inFlight) {
      return Future.succeededFuture(RequestConnections.http1(vertx, target, inFlight));
    }

    @Override
    String describe(int inFlight) {
      return "HTTP/1.1 without pipelining, " + inFlight + " connections kept alive";
    }
  },
  HTTP2 {
    @Override
    Future<HttpConnections> connect(Vertx vertx, HttpEndpoint target, int inFlight) {
      return Future.succeededFuture(RequestConnections.http2(vertx, target));
    }

    @Override
    String describe(int inFlight) {
      return "HTTP/2 without TLS, one connection, " + inFlight + " streams at a time";
    }
  },
  WEBSOCKET {
    @Override
    String path(String address) {
      return super.path(address) + "/ws";
    }

    @Override
    Future<HttpConnections> connect(Vertx vertx, HttpEndpoint target, int inFlight) {
      return WebSocketConnection.connect(vertx, target);
    }

    @Override
    String describe(int inFlight) {
      return "one WebSocket, " + inFlight + " messages unanswered at a time, matched by id";
    }
  };

  /** The path of the service at this event bus address. */
  String path(String address) {
    return "/services/" + address;
  }

  /**
   * Opens the client's end; called on the client's event loop.
   *
   * @param inFlight exchanges at any time
   */
  abstract Future<HttpConnections> connect(Vertx vertx, HttpEndpoint target, int inFlight);

  /** In words, for the results. */
  abstract String describe(int inFlight);

  @Override
  public String toString() {
    return Names.of(this);
  }
}
