package dev.weir.flow.vertx;

import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.impl.CodecManager;
import io.vertx.core.eventbus.impl.EventBusImpl;
import io.vertx.core.eventbus.impl.MessageImpl;
import io.vertx.core.eventbus.impl.clustered.ClusteredMessage;
import io.vertx.core.eventbus.impl.codecs.SerializableCodec;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.Optional;

/** What a message of the event bus knows and does not tell. Any thread; not blocking. */
public final class BusMessages {
  /** Null if the field cannot be read. */
  private static final VarHandle HEADERS = field("headers");

  private BusMessages() {}

  /** A field of a message that has headers; null if it cannot be read. */
  static VarHandle field(String name) {
    try {
      return MethodHandles.privateLookupIn(MessageImpl.class, MethodHandles.lookup())
          .findVarHandle(MessageImpl.class, name, MultiMap.class);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  /**
   * The headers of a message. {@link Message#headers} makes empty ones for a message without any;
   * this gives null for most of these messages.
   */
  public static MultiMap headers(Message<?> message) {
    return headers(message, HEADERS);
  }

  /**
   * @param field null if it cannot be read
   */
  static MultiMap headers(Message<?> message, VarHandle field) {
    return field == null || isFromWire(message)
        ? message.headers()
        : (MultiMap) field.get((MessageImpl<?, ?>) message);
  }

  /** The codec that brought a message. */
  public static MessageCodec<Object, Object> codec(Message<?> message) {
    return untyped(((MessageImpl<?, ?>) message).codec());
  }

  /**
   * The codec by which the bus would send a body.
   *
   * @param codecName null for the codec of the body's class
   * @throws IllegalArgumentException if it has none
   */
  public static MessageCodec<Object, Object> codec(EventBus bus, Object body, String codecName) {
    return codec(((EventBusImpl) bus).createMessage(true, true, "", null, body, codecName));
  }

  /** Whether a codec is the one by which Vert.x sends what has no codec of its own. */
  public static boolean isSerialization(MessageCodec<?, ?> codec) {
    return codec instanceof SerializableCodec;
  }

  /** Whether another node sent it. */
  public static boolean isFromWire(Message<?> message) {
    return message instanceof ClusteredMessage<?, ?> clustered && clustered.isFromWire();
  }

  /** The body as its sender gave it; null if the message came from another node. */
  public static Object sentBody(Message<?> message) {
    return isFromWire(message) ? null : sent((MessageImpl<?, ?>) message);
  }

  private static <U, V> Object sent(MessageImpl<U, V> message) {
    return new Sent<>(message).sentBody();
  }

  /** Shows what a message was sent with, before its codec transformed it. */
  private static final class Sent<U, V> extends MessageImpl<U, V> {
    Sent(MessageImpl<U, V> message) {
      super(message);
    }

    U sentBody() {
      return sentBody;
    }
  }

  /** A copy to reply by, of a message that another node sent: it does not hold the body. */
  public static Message<?> withoutBody(Message<?> fromWire) {
    return WireReply.of((ClusteredMessage<?, ?>) fromWire);
  }

  /**
   * A message from another node without its body. The reply travels by the sender's node id, which
   * only the message knows and hands on only to copies of itself; a copy takes the wire buffer
   * along unless the original has a body of its own. So it is copied twice, the second time from a
   * copy with a tiny body.
   */
  private static final class WireReply<U, V> extends ClusteredMessage<U, V> {
    private WireReply(ClusteredMessage<U, V> other) {
      super(other);
    }

    @SuppressWarnings("unchecked")
    static Message<?> of(ClusteredMessage<?, ?> request) {
      WireReply<Object, Object> copy = new WireReply<>((ClusteredMessage<Object, Object>) request);
      copy.headers = null;
      copy.messageCodec = untyped(CodecManager.STRING_MESSAGE_CODEC);
      copy.sentBody = "";
      WireReply<Object, Object> light = new WireReply<>(copy);
      light.sentBody = null;
      light.receivedBody = null;
      return light;
    }
  }

  @SuppressWarnings("unchecked")
  private static MessageCodec<Object, Object> untyped(MessageCodec<?, ?> codec) {
    return (MessageCodec<Object, Object>) codec;
  }

  /** How to read the span that Vert.x starts when a message comes; empty if it cannot be read. */
  public static Optional<Field> receiverSpan() {
    return spanField("trace");
  }

  static Optional<Field> spanField(String name) {
    try {
      Field field = MessageImpl.class.getDeclaredField(name);
      field.setAccessible(true);
      return Optional.of(field);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional.empty();
    }
  }
}
