package dev.weir.flow.impl;

import dev.weir.flow.vertx.BusMessages;
import dev.weir.flow.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.lang.reflect.Field;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The spans that Vert.x does not record by itself. Vert.x traces a message over the bus, and its
 * handler where the handler runs on the context on which the message came. This class adds the
 * durable send, which does not use the bus, a request by {@link dev.weir.flow.Weir#request}, and
 * the handler of a message from disk or of another verticle instance, which runs on another
 * context. Such a span continues the trace that the headers of the message name. Any thread.
 */
final class Tracing {
  private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);

  private final VertxTracer<Object, Object> tracer;

  /** Of a message, holds the span of its receiver; null if it cannot be read. */
  private final Field receiverSpan;

  Tracing(VertxTracer<Object, Object> tracer, Optional<Field> receiverSpan) {
    this.tracer = tracer;
    this.receiverSpan = receiverSpan.orElse(null);
    if (receiverSpan.isEmpty()) {
      LOG.info("the span of a request that waits on disk is not ended");
    }
  }

  /** Null for a Vert.x without a tracer, which then costs no more than the check for null. */
  static Tracing of(Vertx vertx) {
    VertxTracer<Object, Object> tracer = Contexts.tracer(vertx);
    return tracer == null ? null : new Tracing(tracer, BusMessages.receiverSpan());
  }

  // ---- durable sends

  /**
   * Starts the span of a durable send, which ends when the send does.
   *
   * @return the headers of the message with those that name the trace; may be null
   */
  MultiMap send(Context sender, String address, DeliveryOptions options, Future<?> completion) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    if (options.getHeaders() != null) {
      headers.addAll(options.getHeaders());
    }
    TracingPolicy policy =
        options.getTracingPolicy() == null ? TracingPolicy.PROPAGATE : options.getTracingPolicy();
    Object span =
        tracer.sendRequest(
            sender, SpanKind.MESSAGING, policy, address, "send", headers::set, SpanTags.SEND);
    if (span != null) {
      completion.onComplete(
          sent -> tracer.receiveResponse(sender, sent.result(), span, sent.cause(), SpanTags.SENT));
    }
    return headers;
  }

  // ---- requests by Weir.request

  /**
   * Starts the span of a request, which Vert.x then does not trace: Vert.x does not end the span if
   * the reply comes while the thread of a worker still sends.
   *
   * @param options of this request alone, with headers; these get the names of the trace in place
   *     of those that a handler may have passed on
   * @return null if the request is not traced
   */
  Object request(Context sender, String address, DeliveryOptions options) {
    TracingPolicy policy =
        options.getTracingPolicy() == null ? TracingPolicy.PROPAGATE : options.getTracingPolicy();
    options.setTracingPolicy(TracingPolicy.IGNORE);
    return tracer.sendRequest(
        sender, SpanKind.RPC, policy, address, "send", options.getHeaders()::set, SpanTags.REQUEST);
  }

  /** Ends the span of a request. */
  void replied(Context sender, Object span, Object reply, Throwable failure) {
    if (span != null) {
      tracer.receiveResponse(sender, reply, span, failure, TagExtractor.empty());
    }
  }

  // ---- handlers

  /** Starts the span of a handler and makes it the current one of the context; may be null. */
  Object start(Context context, Work work) {
    return tracer.receiveRequest(
        context,
        SpanKind.MESSAGING,
        TracingPolicy.PROPAGATE,
        work,
        "process",
        work.headers(),
        SpanTags.DELIVERY);
  }

  /** Ends the span of a handler when its future completes. */
  void end(Context context, Object span, Future<?> handled) {
    handled.onComplete(
        done -> tracer.sendResponse(context, null, span, done.cause(), TagExtractor.empty()));
  }

  // ---- requests whose message is not kept

  /** A requester whose reply ends the span that Vert.x started when its message came. */
  Requester traced(Requester requester, Message<?> message) {
    Object span = receiverSpan(message);
    return span == null ? requester : new Traced(requester, tracer, Contexts.current(), span);
  }

  private Object receiverSpan(Message<?> message) {
    if (receiverSpan == null || !receiverSpan.getDeclaringClass().isInstance(message)) {
      return null;
    }
    try {
      return receiverSpan.get(message);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private record Traced(
      Requester to, VertxTracer<Object, Object> tracer, Context context, Object span)
      implements Requester {
    @Override
    public void reply(Object body, DeliveryOptions options) {
      Throwable failure = body instanceof Throwable thrown ? thrown : null;
      tracer.sendResponse(context, null, span, failure, TagExtractor.empty());
      to.reply(body, options);
    }

    @Override
    public String localAddress() {
      return to.localAddress();
    }

    @Override
    public long deadlineNs() {
      return to.deadlineNs();
    }
  }
}
