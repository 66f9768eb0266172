package dev.weir.group;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * How values of a {@link Table} become bytes.
 *
 * @param <V> the values' type
 */
public interface Serde<V> {
  /** JSON objects. */
  Serde<JsonObject> JSON =
      of(json -> json.toBuffer().getBytes(), bytes -> new JsonObject(Buffer.buffer(bytes)));

  /** Text, in UTF-8. */
  Serde<String> TEXT =
      of(
          text -> text.getBytes(StandardCharsets.UTF_8),
          bytes -> new String(bytes, StandardCharsets.UTF_8));

  /** Whole numbers, 8 bytes each. */
  Serde<Long> LONG =
      of(
          number -> ByteBuffer.allocate(Long.BYTES).putLong(0, number).array(),
          bytes -> ByteBuffer.wrap(bytes).getLong());

  /** Bytes. */
  Serde<Buffer> BYTES = of(Buffer::getBytes, Buffer::buffer);

  /**
   * Objects of a class as JSON, by jackson-databind, which must be on the class path. A property
   * that older values do not have is null, or 0; give the class a rule for those that it no longer
   * has.
   *
   * @param type such as a record
   */
  static <V> Serde<V> json(Class<V> type) {
    return of(
        value -> Json.CODEC.toBuffer(value).getBytes(),
        bytes -> Json.CODEC.fromBuffer(Buffer.buffer(bytes), type));
  }

  /** A serde of two functions. */
  static <V> Serde<V> of(Function<V, byte[]> encode, Function<byte[], V> decode) {
    return new Serde<>() {
      @Override
      public byte[] encode(V value) {
        return encode.apply(value);
      }

      @Override
      public V decode(byte[] bytes) {
        return decode.apply(bytes);
      }
    };
  }

  /**
   * @param value not null
   * @return nobody changes it any more
   */
  byte[] encode(V value);

  /**
   * @param bytes as {@link #encode} gave them, in this or an earlier version of the program
   */
  V decode(byte[] bytes);
}
