package dev.weir.gateway.websocket;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.ReplyStream;
import dev.weir.flow.impl.Requester;
import dev.weir.gateway.http.BusRequest;
import dev.weir.gateway.http.Failures;
import dev.weir.gateway.http.Problem;
import dev.weir.gateway.http.ProblemType;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.ArrayDeque;
import java.util.UUID;

/**
 * A request over a socket whose service sends many replies, to an address of their own. Ends with
 * the last, with a failure, when the client cancels or goes, or when nothing happens for the time
 * of the request. On the event loop of the socket.
 */
final class SocketStream {
  /** Where the parts go, and how it ended. */
  interface Sink {
    void part(Message<?> part, boolean last);

    void failed(Problem problem);

    /** The same for a failure that the client may not read as it is. */
    void failed(Throwable failure);

    /** The client does not read what it has been sent. */
    boolean isFull();

    /** Called once. */
    void ended();
  }

  private static final String GONE = "the stream has ended";

  /** Sent a part without waiting to be told that there is room for another. */
  private static final Requester NOBODY = (body, options) -> {};

  private final Vertx vertx;
  private final String service;

  /** Run when the stream has ended and its service is done with the request, or out of time. */
  private final Runnable done;

  /** Null when the stream has ended: a service may take its time, and a body is large. */
  private SocketRequest request;

  /** Null when the stream has ended: a socket is large, and may be closed. */
  private Sink sink;

  private final StreamCredits credits;

  /**
   * Parts that are not acknowledged until the client gives more, without their bodies: the client
   * has these, and nobody counts them any more.
   */
  private final ArrayDeque<Requester> held = new ArrayDeque<>();

  /** The same of parts that are not acknowledged until the client reads on. */
  private final ArrayDeque<Requester> unread = new ArrayDeque<>();

  private final MessageConsumer<Object> consumer;
  private long timer = -1;
  private boolean asking;
  private boolean ended;

  /**
   * @param done run when the stream has ended and its service is done with the request: otherwise a
   *     client that asks and cancels could have any number handled
   */
  SocketStream(Vertx vertx, String service, SocketRequest request, Sink sink, Runnable done) {
    this.done = done;
    this.vertx = vertx;
    this.service = service;
    this.request = request;
    this.sink = sink;
    this.credits = new StreamCredits(request.credits());
    this.consumer = vertx.eventBus().consumer("weir.stream/" + UUID.randomUUID(), this::arrived);
  }

  void start() {
    restartTimer();
    consumer.completion().onSuccess(known -> ask()).onFailure(this::failed);
  }

  private void ask() {
    if (ended) {
      return;
    }
    DeliveryOptions delivery =
        request
            .delivery(vertx.isClustered())
            .addHeader(ReplyStream.ADDRESS, consumer.address())
            .addHeader(ReplyStream.CREDITS, Integer.toString(credits.window()))
            .addHeader(ReplyStream.TIMEOUT_MS, Long.toString(request.timeoutMs()));
    asking = true;
    // The reply to the request itself says only that its handler is done: it may come late.
    BusRequest.send(vertx.eventBus(), service, request.body(), delivery)
        .onComplete((reply, failure) -> answered(failure));
  }

  private void answered(Throwable failure) {
    asking = false;
    if (ended) {
      done.run();
    } else if (failure != null && !Failures.isDeadline(failure)) {
      failed(failure);
    }
  }

  private void failed(Throwable failure) {
    if (!ended) {
      sink.failed(failure);
      end();
    }
  }

  private void failed(Problem problem) {
    if (!ended) {
      sink.failed(problem);
      end();
    }
  }

  private void arrived(Message<?> part) {
    if (ended) {
      refuse(part);
      return;
    }
    restartTimer();
    if (part.headers().contains(ReplyStream.LAST)) {
      part.reply(null);
      sink.part(part, true);
      end();
      return;
    }
    if (held.size() + unread.size() == credits.window()) {
      refuse(part);
      failed(Problem.of(ProblemType.HANDLER_FAILED, "the service sends more replies than it may"));
      return;
    }
    sink.part(part, false);
    if (ended) {
      refuse(part);
      return;
    }
    Requester sender = part.replyAddress() == null ? NOBODY : Requester.light(vertx, part);
    if (!credits.arrived()) {
      held.add(sender);
    } else {
      acknowledge(sender);
    }
  }

  private void acknowledge(Requester part) {
    if (sink.isFull()) {
      unread.add(part);
    } else {
      part.reply(null, null);
    }
  }

  /** The client reads on. */
  void readOn() {
    for (Requester part = unread.poll(); part != null; part = unread.poll()) {
      part.reply(null, null);
    }
  }

  /** The client can take more. */
  void give(int more) {
    restartTimer();
    int acknowledged = credits.given(more);
    if (acknowledged < 0) {
      failed(Problem.of(ProblemType.BAD_REQUEST, "more than " + StreamCredits.MAX + " credits"));
    }
    for (int i = 0; i < acknowledged; i++) {
      acknowledge(held.poll());
    }
  }

  private void restartTimer() {
    vertx.cancelTimer(timer);
    timer =
        vertx.setTimer(
            request.timeoutMs(),
            over ->
                failed(
                    Problem.of(
                        ProblemType.DEADLINE, "nothing has happened in the time of the stream")));
  }

  /** Ends it without telling the client. */
  void end() {
    if (ended) {
      return;
    }
    ended = true;
    vertx.cancelTimer(timer);
    held.forEach(SocketStream::refuse);
    unread.forEach(SocketStream::refuse);
    held.clear();
    unread.clear();
    consumer.unregister();
    sink.ended();
    sink = null;
    request = null;
    if (!asking) {
      done.run();
    }
  }

  private static void refuse(Message<?> part) {
    part.fail(FlowFailure.SERVICE_CLOSED.code(), GONE);
  }

  private static void refuse(Requester part) {
    part.fail(FlowFailure.SERVICE_CLOSED, GONE);
  }
}
