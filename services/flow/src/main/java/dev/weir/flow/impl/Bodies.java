package dev.weir.flow.impl;

import dev.weir.flow.Weir;
import dev.weir.flow.vertx.BusMessages;
import dev.weir.flow.vertx.CodecTable;
import dev.weir.options.UserFailure;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import java.io.Serializable;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The codecs by which bodies are sized, written to disk and read back: those of Vert.x, those
 * registered with {@link Weir#registerCodec}, and those met on messages. Not the one by which
 * Vert.x sends what is {@link Serializable} and has no codec: with Java serialization whoever wrote
 * the bytes chooses the classes that are made of them.
 */
public final class Bodies {
  /** What a message costs in memory besides its body. */
  static final int OVERHEAD_BYTES = 128;

  /** Serializable, and with a codec of the bus: most replies, told apart without asking it. */
  private static final Set<Class<?>> PLAIN =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          Character.class,
          byte[].class);

  public static final String NO_SERIALIZATION =
      "a body is not sent by Java serialization: register a message codec for its class";

  private final CodecTable known = new CodecTable();
  private final Map<String, MessageCodec<?, ?>> met = new ConcurrentHashMap<>();

  /** With the bus too, unless the codec is there already: another Weir may have registered it. */
  <T> void register(EventBus bus, Class<T> type, MessageCodec<T, ?> codec) {
    Envelope.name(codec);
    known.register(type, codec);
    try {
      if (!isRegistered(bus, codec)) {
        bus.registerDefaultCodec(type, codec);
      }
    } catch (RuntimeException e) {
      known.unregister(type);
      throw e;
    }
  }

  /** Whether a message brings a body by Java serialization; does not look at the body. */
  public static boolean isSerialized(Message<?> message) {
    return BusMessages.isSerialization(BusMessages.codec(message));
  }

  /**
   * @param codecName null for the codec of the body's class
   * @throws IllegalArgumentException if the bus would send the body by Java serialization
   */
  public static void requireCodec(EventBus bus, Object body, String codecName) {
    if (body instanceof Serializable && !(codecName == null && PLAIN.contains(body.getClass()))) {
      requireCodec(BusMessages.codec(bus, body, codecName), body);
    }
  }

  /** Whether the bus can send a body as it is, and not by Java serialization. */
  static boolean hasCodec(EventBus bus, Object body) {
    try {
      requireCodec(BusMessages.codec(bus, body, null), body);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static void requireCodec(MessageCodec<?, ?> codec, Object body) {
    if (BusMessages.isSerialization(codec)) {
      throw new IllegalArgumentException(body.getClass().getName() + ": " + NO_SERIALIZATION);
    }
  }

  /** Why a reply cannot be sent, and what to do about it; for people. */
  public static String unsendable(Object body, Throwable cause) {
    String reason = "the reply cannot be sent: " + UserFailure.message(cause);
    return cause instanceof IllegalArgumentException && body != null
        ? reason
            + ". Reply what the event bus can send, such as JSON, register a codec by"
            + " Weir.registerCodec, or serve with the class of the body and jackson-databind"
        : reason;
  }

  /** The codec that brought a message; remembered, so that the message can be read back. */
  MessageCodec<Object, Object> codecOf(Message<?> message) {
    MessageCodec<Object, Object> codec = BusMessages.codec(message);
    if (codec.systemCodecID() == -1) {
      met.putIfAbsent(codec.name(), codec);
    }
    return codec;
  }

  /** Whether the bus has this codec, or one of the same class, under the codec's name. */
  static boolean isRegistered(EventBus bus, MessageCodec<?, ?> codec) {
    try {
      return BusMessages.codec(bus, "", codec.name()).getClass() == codec.getClass();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * The codec for a body, by name if that is not null.
   *
   * @throws IllegalArgumentException if none is registered for its class, or of that name, or if it
   *     would be Java serialization
   */
  MessageCodec<Object, Object> codecFor(Object body, String name) {
    MessageCodec<Object, Object> codec = known.find(body, name);
    requireCodec(codec, body);
    return codec;
  }

  /**
   * The codec of that id or name.
   *
   * @throws IllegalStateException if no such codec has been registered with this Weir
   */
  @SuppressWarnings("unchecked")
  MessageCodec<Object, Object> codec(byte systemId, String name) {
    MessageCodec<?, ?> codec = known.find(systemId, name);
    if (codec == null) {
      codec = met.get(name);
    }
    if (codec == null) {
      throw new IllegalStateException(
          "no message codec named "
              + name
              + ": register it with Weir.registerCodec before serving");
    }
    if (BusMessages.isSerialization(codec)) {
      throw new IllegalStateException(NO_SERIALIZATION);
    }
    return (MessageCodec<Object, Object>) codec;
  }

  /**
   * The bytes a message holds of the heap, for the limit of the memory tier.
   *
   * @param limit counting ends above it
   * @throws RuntimeException whatever the codec throws if it cannot decode the body
   */
  static long memoryBytes(Message<?> message, long limit) {
    return OVERHEAD_BYTES
        + BodySizes.ofHeaders(BusMessages.headers(message))
        + BodySizes.of(BusMessages.codec(message), message.body(), limit);
  }
}
