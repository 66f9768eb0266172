package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceReply;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.jackson.JacksonCodec;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a handler bodies of its type: as they are, or mapped from JSON. Its replies are mapped to
 * JSON where the event bus has no codec for them. Any thread.
 */
public final class TypedHandler<T> implements ServiceHandler<Object> {
  private static final Logger LOG = LoggerFactory.getLogger(TypedHandler.class);

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
    public String key() {
      return message.key();
    }
  }

  private final EventBus bus;
  private final Class<T> type;
  private final ServiceHandler<T> handler;

  /** By the class of a reply: whether the bus has a codec for it. */
  private final Map<Class<?>, Boolean> plain = new ConcurrentHashMap<>();

  public TypedHandler(EventBus bus, Class<T> type, ServiceHandler<T> handler) {
    this.bus = bus;
    this.type = type;
    this.handler = handler;
  }

  @Override
  public Future<?> handle(ServiceMessage<Object> message) {
    Object given = message.body();
    if (given != null && !type.isInstance(given) && Json.CODEC.getClass() == JacksonCodec.class) {
      throw new IllegalStateException(
          "a body of "
              + given.getClass().getName()
              + " is mapped to "
              + type.getName()
              + " with jackson-databind, which is not on the class path");
    }
    T body;
    try {
      body = typed(given);
    } catch (RuntimeException e) {
      LOG.warn("service {}: the body is no valid {}", message.address(), type.getName(), e);
      return Future.failedFuture(
          Failures.exception(
              FlowFailure.BAD_REQUEST, "the body is no valid " + type.getSimpleName()));
    }
    Future<?> result = handler.handle(new Typed<>(message, body));
    return result == null || !message.isRequest() ? result : result.map(this::reply);
  }

  /**
   * @throws RuntimeException if the body is neither of the type nor JSON that can be mapped to it
   */
  private T typed(Object body) {
    if (body == null || type.isInstance(body)) {
      return type.cast(body);
    }
    if (body instanceof JsonObject json) {
      return Json.CODEC.fromValue(json.getMap(), type);
    }
    if (body instanceof JsonArray json) {
      return Json.CODEC.fromValue(json.getList(), type);
    }
    if (body instanceof Buffer json) {
      return Json.CODEC.fromBuffer(json, type);
    }
    if (body instanceof byte[] json) {
      return Json.CODEC.fromBuffer(Buffer.buffer(json), type);
    }
    if (body instanceof String json) {
      return Json.CODEC.fromString(json, type);
    }
    throw new IllegalArgumentException("it is a " + body.getClass().getName());
  }

  private Object reply(Object result) {
    if (result instanceof ServiceReply reply) {
      return new ServiceReply(json(reply.body()), reply.options());
    }
    return json(result);
  }

  private Object json(Object result) {
    if (result == null
        || plain.computeIfAbsent(result.getClass(), known -> Bodies.hasCodec(bus, result))) {
      return result;
    }
    return result instanceof Collection || result.getClass().isArray()
        ? new JsonArray(Json.CODEC.fromValue(result, List.class))
        : JsonObject.mapFrom(result);
  }
}
