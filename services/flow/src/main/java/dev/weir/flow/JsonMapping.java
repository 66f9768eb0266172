package dev.weir.flow;

import dev.weir.options.Checks;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.jackson.JacksonCodec;
import java.util.Collection;
import java.util.List;

/**
 * Maps bodies from JSON to a class, and values to JSON, by jackson-databind, which must be on the
 * class path of a program that needs it. Any thread.
 *
 * @param <T> the class
 */
public final class JsonMapping<T> {
  private final Class<T> type;

  private JsonMapping(Class<T> type) {
    this.type = type;
  }

  /**
   * @param type not null
   */
  public static <T> JsonMapping<T> to(Class<T> type) {
    return new JsonMapping<>(Checks.notNull("type", type));
  }

  /**
   * A body as an object of the class. JSON that nobody has parsed yet is mapped from its text, and
   * for {@code Buffer} and {@code byte[]} not parsed at all.
   *
   * @param body of the class; or JSON: an object, an array, text or bytes; null gives null
   * @throws IllegalArgumentException if the body cannot be mapped; its message has nothing of the
   *     body, its cause says why
   * @throws IllegalStateException if jackson-databind is needed and not there
   */
  public T read(Object body) {
    if (body == null || type.isInstance(body)) {
      return type.cast(body);
    }
    Buffer bytes = bytesOf(body);
    if (type == Buffer.class && bytes != null) {
      return type.cast(bytes);
    }
    if (type == byte[].class && bytes != null) {
      return type.cast(bytes.getBytes());
    }
    requireDatabind(body.getClass(), type);
    try {
      return bytes == null ? map(body) : Json.CODEC.fromBuffer(bytes, type);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("the body is no valid " + type.getSimpleName(), e);
    }
  }

  /** The text of JSON that is there as bytes, or that is asked for as such; null for any other. */
  private Buffer bytesOf(Object body) {
    if (body instanceof Buffer bytes) {
      return bytes;
    }
    if (body instanceof byte[] bytes) {
      return Buffer.buffer(bytes);
    }
    Buffer unread = UnreadJson.text(body);
    if (unread != null || type != Buffer.class && type != byte[].class) {
      return unread;
    }
    return body instanceof JsonObject || body instanceof JsonArray
        ? Json.encodeToBuffer(body)
        : null;
  }

  private T map(Object body) {
    if (body instanceof JsonObject json) {
      return Json.CODEC.fromValue(json.getMap(), type);
    }
    if (body instanceof JsonArray json) {
      return Json.CODEC.fromValue(json.getList(), type);
    }
    if (body instanceof String json) {
      return Json.CODEC.fromString(json, type);
    }
    throw new IllegalArgumentException("it is a " + body.getClass().getName());
  }

  /**
   * A value as JSON: an array for a collection or an array, an object for anything else.
   *
   * @param value not null
   * @throws IllegalArgumentException if the value cannot be mapped
   * @throws IllegalStateException if jackson-databind is not there
   */
  public static Object write(Object value) {
    requireDatabind(value.getClass(), JsonObject.class);
    return value instanceof Collection || value.getClass().isArray()
        ? new JsonArray(Json.CODEC.fromValue(value, List.class))
        : JsonObject.mapFrom(value);
  }

  private static void requireDatabind(Class<?> from, Class<?> to) {
    if (Json.CODEC.getClass() == JacksonCodec.class) {
      throw new IllegalStateException(
          from.getName()
              + " is mapped to "
              + to.getName()
              + " by jackson-databind, which is not on the class path");
    }
  }
}
