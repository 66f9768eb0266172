package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.JsonMapping;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceReply;
import dev.weir.options.HeapExhaustion;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives a handler bodies of its type: as they are, or mapped from JSON. Its replies are mapped to
 * JSON where the event bus has no codec for them. Any thread.
 */
public final class TypedHandler<T> implements ServiceHandler<Object> {
  /** A message whose body is of the type. */
  private record Typed<T>(ServiceMessage<?> message, T body) implements ServiceMessage<T> {
    @Override
    public MultiMap headers() {
      return message.headers();
    }

    @Override
    public String address() {
      return message.address();
    }

    @Override
    public boolean isRequest() {
      return message.isRequest();
    }

    @Override
    public int deliveryCount() {
      return message.deliveryCount();
    }

    @Override
    public String id() {
      return message.id();
    }

    @Override
    public boolean isNamed() {
      return message.isNamed();
    }

    @Override
    public String key() {
      return message.key();
    }
  }

  private final EventBus bus;
  private final Class<T> type;
  private final JsonMapping<T> mapping;
  private final ServiceHandler<T> handler;

  /** By the class of a reply: whether the bus has a codec for it. */
  private final Map<Class<?>, Boolean> plain = new ConcurrentHashMap<>();

  public TypedHandler(EventBus bus, Class<T> type, ServiceHandler<T> handler) {
    this.bus = bus;
    this.type = type;
    this.mapping = JsonMapping.to(type);
    this.handler = handler;
  }

  /** The class of bodies that a handler takes; null for any, and for JSON as an object. */
  static Class<?> bodyType(ServiceHandler<?> handler) {
    return handler instanceof TypedHandler<?> typed
            && !typed.type.isAssignableFrom(JsonObject.class)
            && !typed.type.isAssignableFrom(JsonArray.class)
        ? typed.type
        : null;
  }

  @Override
  public Future<?> handle(ServiceMessage<Object> message) {
    T body;
    try {
      body = mapping.read(message.body());
    } catch (IllegalArgumentException e) {
      if (HeapExhaustion.isCause(e)) {
        // Says nothing about the message, which is tried again.
        throw e;
      }
      MessageLog.failed(message, "the body is not of the type of the handler", e);
      return Future.failedFuture(Failures.exception(FlowFailure.BAD_REQUEST, e.getMessage()));
    }
    Future<?> result = handler.handle(new Typed<>(message, body));
    return result == null || !message.isRequest() ? result : result.map(this::reply);
  }

  @Override
  public boolean answersRepeats() {
    return handler.answersRepeats();
  }

  private Object reply(Object result) {
    if (result instanceof ServiceReply reply) {
      return new ServiceReply(json(reply.body()), reply.options());
    }
    return json(result);
  }

  private Object json(Object result) {
    return result == null
            || plain.computeIfAbsent(result.getClass(), known -> Bodies.hasCodec(bus, result))
        ? result
        : JsonMapping.write(result);
  }
}
