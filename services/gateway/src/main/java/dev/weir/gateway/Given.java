package dev.weir.gateway;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.buffer.impl.BufferImpl;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * Bodies that their sender gives away. The local bus copies a mutable body, because its sender may
 * change it again; these have a sender that never touches them again, so the "copy" is what they
 * were made of, as an ordinary body that the receiver owns. Another node gets the same bytes as
 * ever. For one receiver only.
 */
final class Given {
  private Given() {}

  static Buffer of(Buffer body) {
    return new GivenBuffer((BufferInternal) body);
  }

  static JsonObject of(JsonObject body) {
    return new GivenObject(body);
  }

  static JsonArray of(JsonArray body) {
    return new GivenArray(body);
  }

  private static final class GivenBuffer extends BufferImpl {
    GivenBuffer(BufferInternal body) {
      super(body.getByteBuf());
    }

    @Override
    public BufferImpl copy() {
      return new BufferImpl(getByteBuf());
    }
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
