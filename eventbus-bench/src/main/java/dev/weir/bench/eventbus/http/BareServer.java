package dev.weir.bench.eventbus.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import java.util.function.Consumer;

/**
 * The floor below the gateway: a Vert.x HTTP server that reads a body, or a message of a WebSocket,
 * and answers it, on any path.
 */
final class BareServer {
  /** The values of the gateway, so that both servers are tuned alike. */
  private static final int MAX_CHUNK_BYTES = 64 << 10;

  private static final int MAX_STREAMS = 1_000;
  private static final int STREAM_WINDOW_BYTES = 1 << 20;
  private static final int CONNECTION_WINDOW_BYTES = 16 << 20;

  private static final String TRUE_TEXT = "true";
  private static final Buffer TRUE = Buffer.buffer(TRUE_TEXT);

  private final HttpCase httpCase;
  private final Consumer<Buffer> arrived;

  private BareServer(HttpCase httpCase, Consumer<Buffer> arrived) {
    this.httpCase = httpCase;
    this.arrived = arrived;
  }

  /**
   * Listens on a free port, on the event loop of the caller.
   *
   * @param arrived gets each body
   */
  static Future<HttpServer> listen(Vertx vertx, HttpCase httpCase, Consumer<Buffer> arrived) {
    BareServer bare = new BareServer(httpCase, arrived);
    return vertx
        .createHttpServer(options())
        .requestHandler(bare::answer)
        .webSocketHandler(bare::serve)
        .listen(0, HttpFixture.HOST);
  }

  private static HttpServerOptions options() {
    return new HttpServerOptions()
        .setMaxChunkSize(MAX_CHUNK_BYTES)
        .setMaxWebSocketFrameSize(WebSocketConnection.MAX_MESSAGE_BYTES)
        .setMaxWebSocketMessageSize(WebSocketConnection.MAX_MESSAGE_BYTES)
        .setPerMessageWebSocketCompressionSupported(false)
        .setPerFrameWebSocketCompressionSupported(false)
        .setHttp2ConnectionWindowSize(CONNECTION_WINDOW_BYTES)
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(MAX_STREAMS)
                .setInitialWindowSize(STREAM_WINDOW_BYTES));
  }

  private void answer(HttpServerRequest request) {
    request.bodyHandler(
        body -> {
          arrived.accept(body);
          HttpBody kind = httpCase.twoWay() ? httpCase.body() : HttpBody.JSON;
          request
              .response()
              .putHeader(HttpHeaders.CONTENT_TYPE, kind.mediaType())
              .end(httpCase.twoWay() ? body : TRUE);
        });
  }

  /** Two-way is an echo of the message as it came. */
  private void serve(ServerWebSocket socket) {
    socket.textMessageHandler(
        text -> {
          WebSocketMessages.Frame frame = WebSocketMessages.read(text);
          arrived.accept(frame.body());
          socket.writeTextMessage(
              httpCase.twoWay() ? text : WebSocketMessages.text(frame.id(), TRUE_TEXT));
        });
    socket.binaryMessageHandler(
        bytes -> {
          WebSocketMessages.Frame frame = WebSocketMessages.read(bytes);
          arrived.accept(frame.body());
          if (httpCase.twoWay()) {
            socket.writeBinaryMessage(bytes);
          } else {
            socket.writeTextMessage(WebSocketMessages.text(frame.id(), TRUE_TEXT));
          }
        });
  }
}
