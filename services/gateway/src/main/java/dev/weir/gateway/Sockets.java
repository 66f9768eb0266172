package dev.weir.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code GET /services/{address}/ws}: requests and streams of replies over one WebSocket. See
 * {@link SocketFrame} for how messages look, and {@link SocketSession} for what they do.
 */
final class Sockets {
  /** What a client may name to be sure of what it talks to. */
  static final String SUBPROTOCOL = "weir.v1";

  private final Vertx vertx;
  private final GatewayOptions options;
  private final HeaderRules rules;
  private final Intake intake;
  private final Access access;

  Sockets(Vertx vertx, GatewayOptions options, HeaderRules rules, Intake intake, Access access) {
    this.vertx = vertx;
    this.options = options;
    this.rules = rules;
    this.intake = intake;
    this.access = access;
  }

  void accept(RoutingContext context, String service) {
    HttpServerRequest request = context.request();
    if (!"websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE))) {
      request.response().headers().set(HttpHeaders.UPGRADE, "websocket");
      throw new ProblemException(ProblemType.UPGRADE_REQUIRED, "this is a WebSocket");
    }
    if (intake.isClosed()) {
      throw new ProblemException(ProblemType.CLOSED, "this gateway closes, another may be there");
    }
    // A failed handshake has answered by itself.
    request
        .toWebSocket()
        .onSuccess(
            socket -> {
              WatchedConnection connection = WatchedConnection.of(request.connection());
              FlushTogether.on(connection.channel);
              SocketSession session =
                  new SocketSession(vertx, socket, service, options, rules, intake);
              session.start();
              connection.atLatestWhenClosed(access.whenRevoked(context, session::revoke));
            });
  }
}
