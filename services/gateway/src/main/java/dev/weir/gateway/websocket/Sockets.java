package dev.weir.gateway.websocket;

import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.http.FlushTogether;
import dev.weir.gateway.http.HeaderRules;
import dev.weir.gateway.http.HeldBytes;
import dev.weir.gateway.http.Intake;
import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.limits.ClosingAction;
import dev.weir.gateway.limits.WatchedConnection;
import dev.weir.gateway.security.Access;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;

/**
 * {@code GET /services/{address}/ws}: requests and streams of replies over one WebSocket. See
 * {@link SocketFrame} for how messages look, and {@link SocketSession} for what they do.
 */
public final class Sockets {
  /** What a client may name to be sure of what it talks to. */
  public static final String SUBPROTOCOL = "weir.v1";

  /** Of RFC 6455. */
  private static final String VERSION = "13";

  private final Vertx vertx;
  private final GatewayOptions options;
  private final HeaderRules rules;
  private final Intake intake;
  private final Access access;

  public Sockets(
      Vertx vertx, GatewayOptions options, HeaderRules rules, Intake intake, Access access) {
    this.vertx = vertx;
    this.options = options;
    this.rules = rules;
    this.intake = intake;
    this.access = access;
  }

  public void accept(RoutingContext context, String service) {
    HttpServerRequest request = context.request();
    requireHandshake(request);
    if (intake.isClosed()) {
      throw new ProblemException(ProblemType.CLOSED, "this gateway closes, another may be there");
    }
    HeldBytes held = HeldBytes.of(context);
    // A client that is gone needs no answer.
    request
        .toWebSocket()
        .onSuccess(
            socket -> {
              WatchedConnection connection = WatchedConnection.of(request.connection());
              connection.keepBuffersSmall();
              FlushTogether.on(connection.channel);
              SocketSession session =
                  new SocketSession(
                      vertx,
                      socket,
                      service,
                      options,
                      rules,
                      intake,
                      held::another,
                      connection::pause);
              session.start();
              ClosingAction.of(connection.channel, access.whenRevoked(context, session::revoke));
            });
  }

  /** Vert.x would refuse a malformed request too, but not with a problem document. */
  private static void requireHandshake(HttpServerRequest request) {
    if (!"websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE))) {
      throw upgradeRequired(request, "this is a WebSocket");
    }
    if (!VERSION.equals(request.getHeader(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
      throw upgradeRequired(request, "Sec-WebSocket-Version has to be " + VERSION);
    }
    String connection = request.getHeader(HttpHeaders.CONNECTION);
    if (connection == null || !connection.toLowerCase(Locale.ROOT).contains("upgrade")) {
      throw new ProblemException(ProblemType.BAD_REQUEST, "Connection has to be Upgrade");
    }
    if (!request.headers().contains(HttpHeaderNames.SEC_WEBSOCKET_KEY)) {
      throw new ProblemException(ProblemType.BAD_REQUEST, "Sec-WebSocket-Key is missing");
    }
  }

  private static ProblemException upgradeRequired(HttpServerRequest request, String detail) {
    request
        .response()
        .putHeader(HttpHeaders.UPGRADE, "websocket")
        .putHeader(HttpHeaderNames.SEC_WEBSOCKET_VERSION, VERSION);
    return new ProblemException(ProblemType.UPGRADE_REQUIRED, detail);
  }
}
