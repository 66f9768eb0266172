package dev.weir.state.je;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;

/**
 * What is kept of a factory beside its documents, as JSON.
 *
 * @param floor the largest version that was deleted
 */
record FactoryMeta(long floor) {
  static final FactoryMeta NEW = new FactoryMeta(0);

  static FactoryMeta decode(byte[] bytes) {
    return new FactoryMeta(new JsonObject(Buffer.buffer(bytes)).getLong("floor", 0L));
  }

  byte[] encode() {
    return new JsonObject().put("floor", floor).toBuffer().getBytes();
  }

  FactoryMeta withFloor(long higher) {
    return new FactoryMeta(higher);
  }
}
