package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.impl.clustered.ClusteredMessage;
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
    return isFromWire(request) ? null : request.replyAddress();
  }

  static boolean isFromWire(Message<?> message) {
    return message instanceof ClusteredMessage<?, ?> clustered && clustered.isFromWire();
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

  /** As {@link #light(EventBus, Message, Tracing)}, without a tracer. */
  static Requester light(EventBus bus, Message<?> message) {
    if (message instanceof ClusteredMessage<?, ?> clustered && clustered.isFromWire()) {
      return new RemoteRequester(WireReply.of(clustered), ReplyHandlers.deadlineNs(message));
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

  /**
   * A message from another node without its body. The reply travels by the sender's node id, which
   * only the message knows and hands on only to copies of itself; a copy takes the wire buffer
   * along unless the original has a body of its own. So it is copied twice, the second time from a
   * copy with a tiny body.
   */
  final class WireReply<U, V> extends ClusteredMessage<U, V> {
    private WireReply(ClusteredMessage<U, V> other) {
      super(other);
    }

    static Message<?> of(ClusteredMessage<?, ?> request) {
      return bodyless(request);
    }

    private static <U, V> Message<?> bodyless(ClusteredMessage<U, V> request) {
      WireReply<Object, Object> copy = new WireReply<>(untyped(request));
      copy.headers = null;
      copy.messageCodec = untyped(NO_BODY);
      copy.sentBody = "";
      WireReply<Object, Object> light = new WireReply<>(copy);
      light.sentBody = null;
      light.receivedBody = null;
      return light;
    }

    @SuppressWarnings("unchecked")
    private static ClusteredMessage<Object, Object> untyped(ClusteredMessage<?, ?> message) {
      return (ClusteredMessage<Object, Object>) message;
    }

    @SuppressWarnings("unchecked")
    private static io.vertx.core.eventbus.MessageCodec<Object, Object> untyped(
        io.vertx.core.eventbus.MessageCodec<?, ?> codec) {
      return (io.vertx.core.eventbus.MessageCodec<Object, Object>) codec;
    }

    private static final io.vertx.core.eventbus.MessageCodec<?, ?> NO_BODY =
        io.vertx.core.eventbus.impl.CodecManager.STRING_MESSAGE_CODEC;
  }
}
