package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.http.HttpConnections.HttpEndpoint;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** One WebSocket; each exchange is a message and its answer, and answers may come in any order. */
final class WebSocketConnection implements HttpConnections {
  /** More than any body with its head. */
  static final int MAX_MESSAGE_BYTES = 1 << 20;

  /** Vert.x logs a warning for every client WebSocket that ends, whatever the reason. */
  private static final Logger OF_VERTX =
      Logger.getLogger("io.vertx.core.http.impl.HttpClientConnectionInternal");

  static {
    OF_VERTX.setLevel(Level.SEVERE);
  }

  private final WebSocketClient client;
  private final WebSocket socket;
  private final HttpBody kind;
  private final Map<Long, Promise<Buffer>> open = new HashMap<>();
  private long nextId;

  private WebSocketConnection(WebSocketClient client, WebSocket socket, HttpBody kind) {
    this.client = client;
    this.socket = socket;
    this.kind = kind;
    socket.textMessageHandler(text -> answered(WebSocketMessages.read(text)));
    socket.binaryMessageHandler(bytes -> answered(WebSocketMessages.read(bytes)));
    socket.closeHandler(closed -> failAll("the WebSocket was closed"));
  }

  /** Connects, on the event loop of the caller. */
  static Future<HttpConnections> connect(Vertx vertx, HttpEndpoint target) {
    WebSocketClient client =
        vertx.createWebSocketClient(
            new WebSocketClientOptions()
                .setMaxFrameSize(MAX_MESSAGE_BYTES)
                .setMaxMessageSize(MAX_MESSAGE_BYTES));
    return client
        .connect(
            new WebSocketConnectOptions()
                .setHost(target.server().host())
                .setPort(target.server().port())
                .setURI(target.path()))
        .map(socket -> new WebSocketConnection(client, socket, target.body()));
  }

  @Override
  public Future<Buffer> exchange(Buffer body) {
    long id = nextId++;
    Promise<Buffer> answer = Promise.promise();
    open.put(id, answer);
    send(id, body).onFailure(answer::tryFail);
    return answer.future();
  }

  private Future<Void> send(long id, Buffer body) {
    return kind == HttpBody.JSON
        ? socket.writeTextMessage(WebSocketMessages.text(id, body.toString()))
        : socket.writeBinaryMessage(WebSocketMessages.binary(id, body));
  }

  private void answered(WebSocketMessages.Frame frame) {
    Promise<Buffer> answer = open.remove(frame.id());
    if (answer == null) {
      failAll("unexpected: " + frame.body());
    } else {
      answer.tryComplete(frame.body());
    }
  }

  private void failAll(String reason) {
    Map<Long, Promise<Buffer>> failed = Map.copyOf(open);
    open.clear();
    failed.values().forEach(answer -> answer.tryFail(reason));
  }

  @Override
  public Future<Void> close() {
    return client.close();
  }
}
