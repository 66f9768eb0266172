package dev.weir.gateway.websocket;

import dev.weir.flow.vertx.BusMessages;
import dev.weir.flow.vertx.Contexts;
import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.http.BusRequest;
import dev.weir.gateway.http.Failures;
import dev.weir.gateway.http.HeaderRules;
import dev.weir.gateway.http.HeldBytes;
import dev.weir.gateway.http.Intake;
import dev.weir.gateway.http.JsonSize;
import dev.weir.gateway.http.Problem;
import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import dev.weir.options.HeapExhaustion;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
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

  /** Vert.x copies a message, and a reply is put together with its head. */
  private static final int COPIES = 2;

  /** What a message takes besides its bytes, until it is answered. */
  private static final int MESSAGE_BYTES = 2 << 10;

  /** The same for a stream of replies, besides its request. */
  private static final int STREAM_BYTES = 4 << 10;

  private static final Problem NO_ROOM =
      Problem.of(ProblemType.OVERLOADED, "there is no room for the message");

  private final Vertx vertx;
  private final ServerWebSocket socket;
  private final SocketWriter writer;
  private final String service;
  private final GatewayOptions options;
  private final HeaderRules rules;
  private final Intake intake;
  private final Supplier<HeldBytes> newHeld;
  private final Consumer<Boolean> pauses;
  private final Context context = Contexts.current();
  private final Map<Object, Asked> requests = new HashMap<>();
  private final Map<Object, SocketStream> streams = new HashMap<>();
  private boolean paused;

  /**
   * @param pauses told to read nothing more from the connection, and to read on
   */
  SocketSession(
      Vertx vertx,
      ServerWebSocket socket,
      String service,
      GatewayOptions options,
      HeaderRules rules,
      Intake intake,
      Supplier<HeldBytes> newHeld,
      Consumer<Boolean> pauses) {
    this.vertx = vertx;
    this.socket = socket;
    this.writer = new SocketWriter(socket);
    this.service = service;
    this.options = options;
    this.rules = rules;
    this.intake = intake;
    this.newHeld = newHeld;
    this.pauses = pauses;
  }

  void start() {
    socket.textMessageHandler(this::received);
    socket.binaryMessageHandler(this::received);
    socket.drainHandler(drained -> drained());
    socket.exceptionHandler(failure -> LOG.debug("socket to {}", service, failure));
    socket.closeHandler(closed -> ended());
  }

  private void ended() {
    endStreams();
    requests.values().forEach(asked -> asked.session = null);
    requests.clear();
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
            pauses.accept(false);
            socket.close(POLICY_VIOLATION, "the token is not valid any more");
          }
        });
  }

  // ---- from the client

  private void received(String text) {
    HeldBytes held = newHeld.get();
    if (held.cover(
        MESSAGE_BYTES + text.length() + JsonSize.heapBytes(text.length(), text::charAt))) {
      received(held, () -> SocketFrame.read(text));
    } else {
      problem(SocketFrame.id(text), NO_ROOM);
      stopIfFull();
    }
  }

  private void received(Buffer bytes) {
    HeldBytes held = newHeld.get();
    if (held.cover(MESSAGE_BYTES + (long) COPIES * bytes.length())) {
      received(held, () -> SocketFrame.read(bytes));
    } else {
      problem(SocketFrame.id(bytes), NO_ROOM);
      stopIfFull();
    }
  }

  private void received(HeldBytes held, Supplier<SocketFrame.Incoming> reader) {
    Object id = null;
    try {
      SocketFrame.Incoming frame = reader.get();
      id = id(frame);
      handle(id, frame, held);
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      problem(id, Failures.of(e, socket.path()));
    }
    held.release();
    stopIfFull();
  }

  private static Object id(SocketFrame.Incoming frame) {
    Object id = frame.id();
    if (SocketFrame.isId(id)) {
      return id;
    }
    throw new ProblemException(ProblemType.BAD_REQUEST, "id is neither a text nor a whole number");
  }

  private void handle(Object id, SocketFrame.Incoming frame, HeldBytes held) {
    Object op = frame.head().getValue("op", "request");
    if ("request".equals(op)) {
      request(SocketRequest.of(id, frame, rules, options), held);
    } else if ("credit".equals(op)) {
      int credits = (int) SocketRequest.whole(frame.head(), "credits", 1, 1, StreamCredits.MAX);
      SocketStream stream = streams.get(id);
      // One that has just ended is no mistake of the client.
      if (stream != null) {
        stream.give(credits);
      }
    } else if ("cancel".equals(op)) {
      SocketStream stream = streams.get(id);
      if (stream != null) {
        stream.end();
      }
    } else {
      throw new ProblemException(
          ProblemType.BAD_REQUEST, "op is none of request, credit and cancel");
    }
  }

  private void request(SocketRequest request, HeldBytes held) {
    if (requests.containsKey(request.id()) || streams.containsKey(request.id())) {
      throw new ProblemException(ProblemType.BAD_REQUEST, "a request with this id is not answered");
    }
    if (request.credits() > 0 && streams.size() >= options.getMaxStreamsPerWebSocket()) {
      throw new ProblemException(ProblemType.BUSY, "too many streams on this socket");
    }
    if (request.credits() > 0 && !held.grow(STREAM_BYTES)) {
      throw new ProblemException(ProblemType.OVERLOADED, "there is no room for the stream");
    }
    if (!intake.enter()) {
      throw new ProblemException(ProblemType.CLOSED, "this gateway closes, another may be there");
    }
    held.hold();
    if (request.credits() > 0) {
      ToClient client = new ToClient(request.id());
      SocketStream stream = new SocketStream(vertx, service, request, client, held::release);
      streams.put(request.id(), stream);
      stream.start();
    } else {
      Asked asked = new Asked(this, request.id(), intake, held);
      requests.put(request.id(), asked);
      DeliveryOptions delivery = request.delivery(vertx.isClustered());
      BusRequest.send(vertx.eventBus(), service, request.body(), delivery).onComplete(asked);
    }
  }

  /**
   * A request until its reply comes. It keeps no body, which may be on disk, and no socket that is
   * closed.
   */
  private static final class Asked implements Completable<Message<Object>> {
    private final Object id;
    private final Intake intake;
    private final HeldBytes held;

    /** Null when the socket is closed. */
    private SocketSession session;

    Asked(SocketSession session, Object id, Intake intake, HeldBytes held) {
      this.session = session;
      this.id = id;
      this.intake = intake;
      this.held = held;
    }

    @Override
    public void complete(Message<Object> reply, Throwable failure) {
      intake.leave();
      if (session == null) {
        held.release();
      } else {
        session.answered(this, reply, failure);
      }
    }
  }

  private void answered(Asked asked, Message<Object> reply, Throwable failure) {
    requests.remove(asked.id);
    if (failure == null) {
      reply(asked.id, reply, true, false, asked.held);
    } else {
      problem(asked.id, Failures.of(failure, socket.path()));
      asked.held.release();
    }
    readOn();
  }

  // ---- to the client

  /** Writes a reply, and releases what it holds when it is written; false if it was refused. */
  private boolean reply(Object id, Message<?> reply, boolean last, boolean stream, HeldBytes held) {
    Problem refused;
    try {
      Future<Void> written = write(id, reply, last, stream, held);
      if (written != null) {
        written.onComplete(done -> held.release());
        return true;
      }
      refused = NO_ROOM;
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      String detail = "the reply is of a type that JSON cannot carry";
      refused = Failures.of(ProblemType.HANDLER_FAILED, detail, e, socket.path());
    }
    problem(id, refused);
    held.release();
    return false;
  }

  /** Null if there is no room for the reply. */
  private Future<Void> write(
      Object id, Message<?> reply, boolean last, boolean stream, HeldBytes held) {
    Object body = reply.body();
    JsonObject headers = SocketFrame.headers(BusMessages.headers(reply));
    boolean binary = SocketFrame.isBinary(body);
    boolean isPlain = !stream && headers == null;
    Buffer plain = isPlain && binary ? PlainHead.frame(id, body) : null;
    if (plain != null) {
      return held.cover(plain.length()) ? writer.binary(plain) : null;
    }
    String text = isPlain ? PlainHead.text(id, body) : null;
    if (text != null) {
      return held.cover(text.length()) ? writer.text(text) : null;
    }
    JsonObject head = new JsonObject().put("id", id);
    if (stream) {
      head.put("last", last);
    }
    if (headers != null) {
      head.put("headers", headers);
    }
    if (binary) {
      Buffer frame = SocketFrame.binary(head, body);
      return held.cover(frame.length()) ? writer.binary(frame) : null;
    }
    String frame = SocketFrame.text(head, body);
    return held.cover(frame.length()) ? writer.text(frame) : null;
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
      boolean written = reply(id, part, last, true, newHeld.get());
      SocketStream stream = streams.get(id);
      if (!written && stream != null) {
        stream.end();
      }
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
      pauses.accept(true);
    }
  }

  private void readOn() {
    if (paused && !socket.isClosed() && !isFull()) {
      paused = false;
      socket.resume();
      // What had gathered may have been too much again.
      pauses.accept(paused);
    }
  }
}
