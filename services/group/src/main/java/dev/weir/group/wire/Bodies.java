package dev.weir.group.wire;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;

/** Bodies of messages as bytes, after one byte that says of which type they are. */
public final class Bodies {
  private static final byte NONE = 0;
  private static final byte BUFFER = 1;
  private static final byte TEXT = 2;
  private static final byte BYTES = 3;
  private static final byte JSON_OBJECT = 4;
  private static final byte JSON_ARRAY = 5;

  private Bodies() {}

  /** Whether a body can be sent as it is. */
  public static boolean hasType(Object body) {
    return body == null
        || body instanceof Buffer
        || body instanceof String
        || body instanceof byte[]
        || body instanceof JsonObject
        || body instanceof JsonArray;
  }

  /**
   * @throws IllegalArgumentException if there is no type for it
   */
  static void append(Buffer out, Object body) {
    if (body == null) {
      out.appendByte(NONE);
    } else if (body instanceof Buffer buffer) {
      out.appendByte(BUFFER).appendBuffer(buffer);
    } else if (body instanceof String text) {
      out.appendByte(TEXT).appendBytes(text.getBytes(StandardCharsets.UTF_8));
    } else if (body instanceof byte[] bytes) {
      out.appendByte(BYTES).appendBytes(bytes);
    } else if (body instanceof JsonObject json) {
      out.appendByte(JSON_OBJECT).appendBuffer(json.toBuffer());
    } else if (body instanceof JsonArray json) {
      out.appendByte(JSON_ARRAY).appendBuffer(json.toBuffer());
    } else {
      throw new IllegalArgumentException(
          "a body is a "
              + body.getClass().getName()
              + ", allowed is JsonObject, JsonArray, Buffer, String, byte[] or null");
    }
  }

  /**
   * @throws IllegalArgumentException if the type is unknown
   */
  static Object read(Buffer in, int at) {
    int from = at + 1;
    int end = in.length();
    return switch (in.getByte(at)) {
      case NONE -> null;
      case BUFFER -> in.getBuffer(from, end);
      case TEXT -> in.getString(from, end);
      case BYTES -> in.getBytes(from, end);
      case JSON_OBJECT -> new JsonObject(in.slice(from, end));
      case JSON_ARRAY -> new JsonArray(in.slice(from, end));
      default ->
          throw new IllegalArgumentException(
              "a body has type " + in.getByte(at) + ", known is " + NONE + " to " + JSON_ARRAY);
    };
  }
}
