package dev.weir.gateway;

import dev.weir.gateway.http.AccessLine;
import dev.weir.gateway.limits.ClosingAction;
import dev.weir.gateway.limits.WatchedConnection;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first route where requests are logged: a line for each, when it is answered or gone. */
final class AccessLog implements Handler<RoutingContext> {
  private static final Logger LOG = LoggerFactory.getLogger("dev.weir.gateway.access");

  /** The status of a request whose client has left before its answer, as nginx has it. */
  private static final int CLIENT_GONE = 499;

  private final boolean json;
  private final Function<RoutingContext, String> user;

  /**
   * @param format not {@link AccessLogFormat#NONE}
   * @param user who made a request that is answered; null if that is not known
   */
  AccessLog(AccessLogFormat format, Function<RoutingContext, String> user) {
    this.json = format == AccessLogFormat.JSON;
    this.user = user;
  }

  @Override
  public void handle(RoutingContext context) {
    Instant time = Instant.now();
    long startNs = System.nanoTime();
    Runnable log = () -> log(context, time, startNs);
    HttpServerRequest request = context.request();
    // The response of a WebSocket does not tell its end.
    boolean socket =
        request.version() != HttpVersion.HTTP_2 && request.headers().contains(HttpHeaders.UPGRADE);
    Runnable ended =
        socket ? ClosingAction.of(WatchedConnection.of(request.connection()).channel, log) : log;
    context.addEndHandler(end -> ended.run());
    context.next();
  }

  private void log(RoutingContext context, Instant time, long startNs) {
    if (!LOG.isInfoEnabled()) {
      return;
    }
    HttpServerRequest request = context.request();
    HttpServerResponse response = context.response();
    SocketAddress client = request.remoteAddress();
    AccessLine line =
        new AccessLine(
            time,
            client == null ? null : client.hostAddress(),
            user.apply(context),
            request.method().name(),
            request.path(),
            protocol(request.version()),
            response.headWritten() ? response.getStatusCode() : CLIENT_GONE,
            response.bytesWritten(),
            System.nanoTime() - startNs,
            request.getHeader("x-request-id"),
            request.getHeader(HttpHeaders.REFERER),
            request.getHeader(HttpHeaders.USER_AGENT));
    LOG.info(json ? line.json() : line.combined());
  }

  private static String protocol(HttpVersion version) {
    return switch (version) {
      case HTTP_1_0 -> "HTTP/1.0";
      case HTTP_1_1 -> "HTTP/1.1";
      default -> "HTTP/2.0";
    };
  }
}
