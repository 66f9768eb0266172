package dev.weir.gateway;

import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.Refusal;
import dev.weir.gateway.limits.Connections;
import dev.weir.gateway.limits.ServerMaker;
import dev.weir.gateway.security.Tls;
import dev.weir.gateway.websocket.Sockets;
import dev.weir.options.ByteBudget;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.util.concurrent.TimeUnit;

/** A port of a gateway: makes its HTTP server and limits its connections and requests. */
final class Listener {
  /** What one HTTP/2 stream, and one connection, may send before it has to wait. */
  private static final int STREAM_WINDOW_BYTES = 1 << 20;

  private static final int CONNECTION_WINDOW_BYTES = 16 << 20;

  /**
   * Streams that either side may reset in 30 s before the connection is closed. Each frame that is
   * on its way to a closed stream is answered with a reset, and {@value #CONNECTION_WINDOW_BYTES}
   * bytes can be on their way.
   */
  private static final int MAX_RESETS = 10_000;

  /** The largest piece of a body that is handed on. */
  private static final int MAX_CHUNK_BYTES = 64 << 10;

  /** What a message on a socket may have besides its body. */
  private static final int SOCKET_HEAD_BYTES = 64 << 10;

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
    return servers.create(vertx, server, connections).invalidRequestHandler(this::refuse);
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

  /** What servers of a gateway have in common. */
  static HttpServerOptions serverOptions(GatewayOptions options, int port) {
    return new HttpServerOptions()
        .setHost(options.getHost())
        .setPort(port)
        .setMaxChunkSize(MAX_CHUNK_BYTES)
        .addWebSocketSubProtocol(Sockets.SUBPROTOCOL)
        .setMaxWebSocketFrameSize(options.getMaxBodyBytes() + SOCKET_HEAD_BYTES)
        .setMaxWebSocketMessageSize(options.getMaxBodyBytes() + SOCKET_HEAD_BYTES)
        .setPerMessageWebSocketCompressionSupported(false)
        .setPerFrameWebSocketCompressionSupported(false)
        .setHttp2RstFloodMaxRstFramePerWindow(MAX_RESETS)
        .setHttp2ConnectionWindowSize(CONNECTION_WINDOW_BYTES)
        .setInitialSettings(new Http2Settings().setInitialWindowSize(STREAM_WINDOW_BYTES));
  }

  /** Answers what is no request. The connection closes after it. */
  private void refuse(HttpServerRequest request) {
    Throwable fault = request.decoderResult().cause();
    if (fault instanceof TooLongHttpLineException) {
      String detail =
          "allowed are " + limits.getMaxRequestLineBytes() + " bytes for the first line";
      Refusal.malformed(request, ProblemType.LINE_TOO_LONG, detail);
    } else if (fault instanceof TooLongHttpHeaderException) {
      String detail =
          "allowed are "
              + limits.getMaxHeaderBytes()
              + " bytes for all headers, fewer for very many headers";
      Refusal.malformed(request, ProblemType.HEADERS_TOO_LARGE, detail);
    } else {
      Refusal.malformed(request, ProblemType.BAD_REQUEST, "not one certain HTTP request");
    }
  }

  /** Once, also if it was never watched. */
  void close() {
    PortState.leave(vertx, options);
    connections.close();
  }
}
