package dev.weir.gateway.routes;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.Weir;
import dev.weir.flow.vertx.Contexts;
import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.http.Answer;
import dev.weir.gateway.http.BusRequest;
import dev.weir.gateway.http.Exchange;
import dev.weir.gateway.http.Failures;
import dev.weir.gateway.http.Fingerprint;
import dev.weir.gateway.http.HeaderRules;
import dev.weir.gateway.http.IdempotencyWindow;
import dev.weir.gateway.http.IdempotencyWindow.Key;
import dev.weir.gateway.http.IdempotencyWindow.Meets;
import dev.weir.gateway.http.Problem;
import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.RequestBody;
import dev.weir.gateway.http.RequestBody.JsonText;
import dev.weir.gateway.http.RequestHeaders;
import dev.weir.options.HeapExhaustion;
import io.vertx.core.AsyncResult;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.http.HttpHeaders;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** {@code POST /services/{address}}: a request over the event bus, and its reply. */
final class RequestReply {
  private final Vertx vertx;
  private final Weir weir;
  private final EventBus bus;
  private final long timeoutMs;
  private final long maxTimeoutMs;
  private final HeaderRules rules;
  private final IdempotencyWindow window;

  /**
   * For requests without headers or a time of their own. Null where its headers, which a tracer
   * adds to, would be shared.
   */
  private final DeliveryOptions plain;

  RequestReply(
      Vertx vertx, Weir weir, GatewayOptions options, HeaderRules rules, IdempotencyWindow window) {
    this.vertx = vertx;
    this.weir = weir;
    this.bus = vertx.eventBus();
    this.timeoutMs = options.getTimeoutMs();
    this.maxTimeoutMs = options.getMaxTimeoutMs();
    this.rules = rules;
    this.window = window;
    DeliveryOptions shared = named(new DeliveryOptions().setSendTimeout(timeoutMs));
    this.plain = shared.getHeaders() == null || Contexts.tracer(vertx) == null ? shared : null;
  }

  void handle(Exchange exchange, String address, Buffer bytes) {
    MultiMap headers = exchange.request().headers();
    RequestHeaders.refuseEncoded(headers);
    String contentType = headers.get(HttpHeaders.CONTENT_TYPE);
    String key = RequestHeaders.key(headers);
    long givenMs = RequestHeaders.timeoutMs(headers, maxTimeoutMs);
    MultiMap passed = rules.in(headers);
    if (givenMs > 0) {
      passed = passed == null ? MultiMap.caseInsensitiveMultiMap() : passed;
      passed.set(RequestHeaders.DEADLINE_MS, RequestHeaders.deadline(givenMs));
    }
    Object body = RequestBody.decode(contentType, bytes, jsonText(address));
    if (key != null) {
      String fingerprint = Fingerprint.ofBody(contentType, bytes);
      String read = headers.get(ServiceMessage.READ);
      if (read != null) {
        // Another request than one that changes something.
        fingerprint += " read " + read;
      }
      String about = headers.get(ServiceMessage.KEY);
      if (about != null) {
        // Each shard of a group has its own ids.
        fingerprint += " key " + about;
      }
      passed = passed == null ? MultiMap.caseInsensitiveMultiMap() : passed;
      passed.set(ServiceMessage.MESSAGE_ID, exchange.id(key));
      Key named = new Key(exchange.client(), address, key);
      sendOnce(exchange, named, fingerprint, givenMs, body, passed);
      return;
    }
    BusRequest.send(bus, address, body, options(passed, givenMs))
        .onComplete(done -> exchange.answer(answer(exchange, done)));
  }

  /**
   * A handler of a class maps the text itself, and refuses what it cannot map. One of bytes would
   * take all text, and another node gets the text without a look at it.
   */
  private JsonText jsonText(String address) {
    Service service = weir.service(address);
    if (service == null) {
      return vertx.isClustered() ? JsonText.CHECKED : JsonText.PARSED;
    }
    Class<?> type = service.bodyType();
    if (type == null) {
      return JsonText.PARSED;
    }
    return type == Buffer.class || type == byte[].class || vertx.isClustered()
        ? JsonText.CHECKED
        : JsonText.UNCHECKED;
  }

  private DeliveryOptions options(MultiMap passed, long givenMs) {
    if (passed == null && givenMs == 0 && plain != null) {
      return plain;
    }
    DeliveryOptions options =
        new DeliveryOptions().setSendTimeout(givenMs == 0 ? timeoutMs : givenMs);
    return named(passed == null ? options : options.setHeaders(passed));
  }

  /** A service on another node does not see by itself how long somebody waits. */
  private DeliveryOptions named(DeliveryOptions options) {
    return vertx.isClustered()
        ? options.addHeader(ServiceMessage.TIMEOUT_MS, Long.toString(options.getSendTimeout()))
        : options;
  }

  private static Answer answer(Exchange exchange, AsyncResult<? extends Message<?>> done) {
    try {
      return done.succeeded() ? Answer.of(done.result()) : exchange.answerOf(done.cause());
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      return exchange.answerOf(e);
    }
  }

  // ---- with a key

  /**
   * The request itself gets the longest time there is, so that a client that gave up waiting finds
   * the reply when it repeats the request. A service that answers repeats is asked for repetitions
   * too: the node that has the first one may be lost, and nobody says so. Each of these requests,
   * also the first, ends with its client's own time, since a refusal waits for the others.
   */
  private void sendOnce(
      Exchange exchange, Key key, String fingerprint, long givenMs, Object body, MultiMap passed) {
    Consumer<Answer> listener = exchange::answerAnywhere;
    Runnable leave = () -> window.leave(key, listener);
    Service service = weir.service(key.address());
    boolean again = service != null && service.answersRepeats();
    Meets meets = window.claim(key, fingerprint, nowMs(), again, listener);
    switch (meets) {
      case ANOTHER ->
          exchange.fail(
              Problem.of(ProblemType.KEY_REUSED, "this key was sent with another request before"));
      case NO_ROOM ->
          exchange.fail(
              Problem.of(ProblemType.BUSY, "too many requests with a key are being handled"));
      case THE_FIRST -> expire(exchange, givenMs, leave);
      case NOTHING -> {
        expire(exchange, givenMs, leave);
        BusRequest.send(bus, key.address(), body, options(passed, again ? givenMs : maxTimeoutMs))
            .onComplete(
                done -> {
                  boolean keep = done.succeeded() || Failures.wasHandled(done.cause());
                  window.complete(key, listener, answer(exchange, done), keep, nowMs());
                });
      }
    }
  }

  /** By a clock that nobody sets. */
  private static long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  /**
   * @param leave run when the exchange waits for the reply no more
   */
  private void expire(Exchange exchange, long givenMs, Runnable leave) {
    if (exchange.isAnswered()) {
      return;
    }
    long timer =
        vertx.setTimer(
            givenMs == 0 ? timeoutMs : givenMs,
            over ->
                exchange.fail(
                    Problem.of(
                        ProblemType.DEADLINE, "no reply in time; repeat the request to get it")));
    exchange.onAnswered(
        () -> {
          vertx.cancelTimer(timer);
          leave.run();
        });
  }
}
