package dev.weir.gateway.websocket;

import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.http.Failures;
import dev.weir.gateway.http.HeaderRules;
import dev.weir.gateway.http.Intake;
import dev.weir.gateway.http.Problem;
import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One socket to one service: many requests at once, each with a name of the client's. It reads no
 * further while as many requests as allowed are unanswered, or while the client does not read its
 * replies. Streams are bounded apart, because their clients must be able to give credit. All state
 * belongs to the event loop of the socket.
 */
final class SocketSession {
  private static final Logger LOG = LoggerFactory.getLogger(SocketSession.class);

  /** RFC 6455, 7.4.1. */
  private static final short POLICY_VIOLATION = 1008;

  private final Vertx vertx;
  private final ServerWebSocket socket;
  private final SocketWriter writer;
  private final String service;
  private final GatewayOptions options;
  private final HeaderRules rules;
  private final Intake intake;
  private final ContextInternal context = ContextInternal.current();
  private final Set<Object> requests = new HashSet<>();
  private final Map<Object, SocketStream> streams = new HashMap<>();
  private boolean paused;

  SocketSession(
      Vertx vertx,
      ServerWebSocket socket,
      String service,
      GatewayOptions options,
      HeaderRules rules,
      Intake intake) {
    this.vertx = vertx;
    this.socket = socket;
    this.writer = new SocketWriter(socket);
    this.service = service;
    this.options = options;
    this.rules = rules;
    this.intake = intake;
  }

  void start() {
    socket.textMessageHandler(text -> received(() -> SocketFrame.read(text)));
    socket.binaryMessageHandler(bytes -> received(() -> SocketFrame.read(bytes)));
    socket.drainHandler(drained -> drained());
    socket.exceptionHandler(failure -> LOG.debug("socket to {}", service, failure));
    socket.closeHandler(closed -> endStreams());
  }

  private void endStreams() {
    Map.copyOf(streams).values().forEach(SocketStream::end);
  }

  /** Takes no more requests, ends the streams and closes the socket; any thread. */
  void revoke() {
    context.runOnContext(
        now -> {
          if (!socket.isClosed()) {
            socket.textMessageHandler(null);
            socket.binaryMessageHandler(null);
            endStreams();
            socket.close(POLICY_VIOLATION, "the token is not valid any more");
          }
        });
  }

  // ---- from the client

  private void received(Supplier<SocketFrame.Incoming> reader) {
    Object id = null;
    try {
      SocketFrame.Incoming frame = reader.get();
      id = id(frame.head());
      handle(id, frame);
    } catch (RuntimeException e) {
      problem(id, Failures.of(e, socket.path()));
    }
    stopIfFull();
  }

  private static Object id(JsonObject head) {
    Object id = head.getValue("id");
    if (id instanceof String || id instanceof Integer || id instanceof Long) {
      return id;
    }
    throw new ProblemException(ProblemType.BAD_REQUEST, "id is neither a text nor a whole number");
  }

  private void handle(Object id, SocketFrame.Incoming frame) {
    Object op = frame.head().getValue("op", "request");
    if (op.equals("request")) {
      request(SocketRequest.of(id, frame, rules, options));
    } else if (op.equals("credit")) {
      int credits = (int) SocketRequest.whole(frame.head(), "credits", 1, 1, StreamCredits.MAX);
      SocketStream stream = streams.get(id);
      // One that has just ended is no mistake of the client.
      if (stream != null) {
        stream.give(credits);
      }
    } else if (op.equals("cancel")) {
      SocketStream stream = streams.get(id);
      if (stream != null) {
        stream.end();
      }
    } else {
      throw new ProblemException(
          ProblemType.BAD_REQUEST, "op is none of request, credit and cancel");
    }
  }

  private void request(SocketRequest request) {
    if (requests.contains(request.id()) || streams.containsKey(request.id())) {
      throw new ProblemException(ProblemType.BAD_REQUEST, "a request with this id is not answered");
    }
    if (request.credits() > 0 && streams.size() >= options.getMaxStreamsPerWebSocket()) {
      throw new ProblemException(ProblemType.BUSY, "too many streams on this socket");
    }
    if (!intake.enter()) {
      throw new ProblemException(ProblemType.CLOSED, "this gateway closes, another may be there");
    }
    if (request.credits() > 0) {
      SocketStream stream = new SocketStream(vertx, service, request, new ToClient(request.id()));
      streams.put(request.id(), stream);
      stream.start();
    } else {
      requests.add(request.id());
      ask(request);
    }
  }

  private void ask(SocketRequest request) {
    vertx
        .eventBus()
        .request(service, request.body(), request.delivery())
        .onComplete(
            done -> {
              requests.remove(request.id());
              intake.leave();
              if (done.succeeded()) {
                reply(request.id(), done.result(), true, false);
              } else {
                problem(request.id(), Failures.of(done.cause(), socket.path()));
              }
              readOn();
            });
  }

  // ---- to the client

  private void reply(Object id, Message<?> reply, boolean last, boolean stream) {
    JsonObject head = new JsonObject().put("id", id);
    if (stream) {
      head.put("last", last);
    }
    JsonObject headers = SocketFrame.headers(reply.headers());
    if (!headers.isEmpty()) {
      head.put("headers", headers);
    }
    try {
      if (SocketFrame.isBinary(reply.body())) {
        writer.binary(SocketFrame.binary(head, reply.body()));
      } else {
        writer.text(SocketFrame.text(head, reply.body()));
      }
    } catch (RuntimeException e) {
      String detail = "the reply is of a type that JSON cannot carry";
      problem(id, Failures.of(ProblemType.HANDLER_FAILED, detail, e, socket.path()));
    }
  }

  private void problem(Object id, Problem problem) {
    JsonObject document = problem.toJson(socket.path());
    writer.text(new JsonObject().put("id", id).put("problem", document).encode());
  }

  private final class ToClient implements SocketStream.Sink {
    private final Object id;

    ToClient(Object id) {
      this.id = id;
    }

    @Override
    public void part(Message<?> part, boolean last) {
      reply(id, part, last, true);
    }

    @Override
    public void failed(Problem problem) {
      SocketSession.this.problem(id, problem);
    }

    @Override
    public void failed(Throwable failure) {
      SocketSession.this.problem(id, Failures.of(failure, socket.path()));
    }

    @Override
    public boolean isFull() {
      return !socket.isClosed() && socket.writeQueueFull();
    }

    @Override
    public void ended() {
      streams.remove(id);
      intake.leave();
    }
  }

  // ---- back-pressure

  private boolean isFull() {
    return requests.size() >= options.getMaxInFlightPerWebSocket() || socket.writeQueueFull();
  }

  private void drained() {
    streams.values().forEach(SocketStream::readOn);
    readOn();
  }

  private void stopIfFull() {
    if (!paused && !socket.isClosed() && isFull()) {
      paused = true;
      socket.pause();
    }
  }

  private void readOn() {
    if (paused && !socket.isClosed() && !isFull()) {
      paused = false;
      socket.resume();
    }
  }
}
