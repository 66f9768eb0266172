package dev.weir.flow;

import dev.weir.flow.vertx.BufferBytes;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * Wraps bodies that their sender never changes again, so that the bus does not copy them. The local
 * bus copies a mutable body, because its sender may change it again; one that was given is not
 * copied: the receiver gets what it was made of, as an ordinary body. Another node gets the same
 * bytes as ever. Used for a request, a one-way message, or the reply of a handler:
 *
 * <pre>
 * message -> repository.find(message.body()).map(order -> NoCopyBody.of(order.toJson()))
 * </pre>
 *
 * <p>The contract is the sender's to keep: neither it nor anybody else reads or changes the body
 * after giving it, nor what is in it, and it is given once, to one receiver. A document that a
 * service keeps is not given. A handler may give the body it got.
 *
 * <p>Any thread; not blocking.
 */
public final class NoCopyBody {
  private NoCopyBody() {}

  /** A buffer, not null. */
  public static Buffer of(Buffer body) {
    return BufferBytes.given(body);
  }

  /** An object, not null. */
  public static JsonObject of(JsonObject body) {
    return new GivenObject(body);
  }

  /** An array, not null. */
  public static JsonArray of(JsonArray body) {
    return new GivenArray(body);
  }

  /** A body of any type: one of another than the above is returned as it is, also null. */
  public static Object of(Object body) {
    if (body instanceof Buffer buffer) {
      return of(buffer);
    }
    if (body instanceof JsonObject object) {
      return of(object);
    }
    return body instanceof JsonArray array ? of(array) : body;
  }

  private static final class GivenObject extends JsonObject {
    GivenObject(JsonObject body) {
      super(body.getMap());
    }

    @Override
    public JsonObject copy() {
      return new JsonObject(getMap());
    }
  }

  private static final class GivenArray extends JsonArray {
    GivenArray(JsonArray body) {
      super(body.getList());
    }

    @Override
    public JsonArray copy() {
      return new JsonArray(getList());
    }
  }
}
