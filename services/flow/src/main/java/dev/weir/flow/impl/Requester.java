package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.vertx.BusMessages;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.tracing.TracingPolicy;

/**
 * The way back to who waits for a reply, without the request's body: a {@link Message} keeps its
 * body as long as it is held, so a request that waits on disk must not hold its message.
 */
public interface Requester {
  /** Sends the reply; {@code options} may be null. */
  void reply(Object body, DeliveryOptions options);

  default void fail(FlowFailure failure, String text) {
    reply(Failures.exception(failure, text), null);
  }

  /** The address on this node at which the requester waits; null if it is on another node. */
  default String localAddress() {
    return null;
  }

  /** As {@link #localAddress}, of a message that is a request. */
  static String localAddress(Message<?> request) {
    return BusMessages.isFromWire(request) ? null : request.replyAddress();
  }

  /**
   * Holds only what a reply needs.
   *
   * @param tracing null without a tracer
   * @return null for a message that is no request
   */
  static Requester light(EventBus bus, Message<?> message, Tracing tracing) {
    if (message.replyAddress() == null) {
      return null;
    }
    Requester requester = light(bus, message);
    return tracing == null ? requester : tracing.traced(requester, message);
  }

  /** The same with the tracer of a Vert.x, if it has one. */
  static Requester light(Vertx vertx, Message<?> message) {
    return light(vertx.eventBus(), message, Tracing.of(vertx));
  }

  /** As {@link #light(EventBus, Message, Tracing)}, without a tracer. */
  static Requester light(EventBus bus, Message<?> message) {
    if (BusMessages.isFromWire(message)) {
      return new RemoteRequester(
          BusMessages.withoutBody(message), ReplyHandlers.deadlineNs(message));
    }
    return new LocalRequester(bus, message.replyAddress());
  }

  /** When one on another node gives up, by {@link System#nanoTime}; 0 if that is not known. */
  default long deadlineNs() {
    return 0;
  }

  /** A tracer takes such a reply, which its message does not send, for a message of its own. */
  private static DeliveryOptions untraced(DeliveryOptions options) {
    DeliveryOptions copy = options == null ? new DeliveryOptions() : new DeliveryOptions(options);
    return copy.setTracingPolicy(TracingPolicy.IGNORE);
  }

  /** A requester on another node: its reply goes by a message without a body. */
  record RemoteRequester(Message<?> bodyless, long deadlineNs) implements Requester {
    @Override
    public void reply(Object body, DeliveryOptions options) {
      bodyless.reply(body, untraced(options));
    }
  }

  /** A requester on this node: its reply address is an ordinary address of the local bus. */
  record LocalRequester(EventBus bus, String replyAddress) implements Requester {
    @Override
    public String localAddress() {
      return replyAddress;
    }

    @Override
    public void reply(Object body, DeliveryOptions options) {
      bus.send(replyAddress, body, untraced(options).setLocalOnly(true));
    }
  }
}
