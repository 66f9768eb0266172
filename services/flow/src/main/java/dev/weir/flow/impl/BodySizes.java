package dev.weir.flow.impl;

import dev.weir.flow.ImmutableCodec;
import dev.weir.flow.SizedCodec;
import dev.weir.flow.UnreadJson;
import dev.weir.options.HeapExhaustion;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * Estimates what a body holds of the heap, for the limit of the memory tier. The estimate is an
 * upper bound for texts, bytes and JSON. Of other bodies it asks their codec: for the size, or for
 * the encoded form. A body of a codec that does neither is {@linkplain ObjectSizes looked through}.
 */
final class BodySizes {
  /** An object with a few fields, and a reference to it. */
  static final int OBJECT_BYTES = 48;

  /** An object may be twice as large as its encoded form. */
  static final int DECODED_FACTOR = 2;

  private BodySizes() {}

  /**
   * The bytes a body holds.
   *
   * @param limit counting ends above it: such a body does not fit anyway
   */
  static long of(MessageCodec<Object, Object> codec, Object body, long limit) {
    if (codec instanceof ImmutableCodec<Object> sized) {
      return OBJECT_BYTES + (long) sized.sizeBytes(body);
    }
    long known = plain(body, limit);
    if (known >= 0) {
      return known;
    }
    if (codec instanceof SizedCodec<Object, Object> sized) {
      return OBJECT_BYTES + Math.max(0, Math.min(sized.heapBytes(body), ObjectSizes.UNKNOWN));
    }
    int encoded = encodedBytes(codec, body);
    return encoded > 0
        ? OBJECT_BYTES + (long) DECODED_FACTOR * encoded
        : ObjectSizes.of(body, limit);
  }

  /** The bytes that headers hold; null for none. */
  static long ofHeaders(MultiMap headers) {
    long bytes = 0;
    if (headers != null) {
      for (Map.Entry<String, String> header : headers) {
        long chars = (long) header.getKey().length() + header.getValue().length();
        bytes += 2L * OBJECT_BYTES + Character.BYTES * chars;
      }
    }
    return bytes;
  }

  /** Bytes of a value of JSON or Vert.x; -1 for any other. */
  static long plain(Object value, long limit) {
    if (value == null || value instanceof Boolean) {
      return 0;
    }
    if (value instanceof CharSequence text) {
      return OBJECT_BYTES + (long) Character.BYTES * text.length();
    }
    if (value instanceof Number) {
      return OBJECT_BYTES;
    }
    if (value instanceof Buffer buffer) {
      return 2L * OBJECT_BYTES + buffer.length();
    }
    if (value instanceof byte[] bytes) {
      return OBJECT_BYTES + (long) bytes.length;
    }
    Buffer unread = UnreadJson.text(value);
    if (unread != null) {
      return 4L * OBJECT_BYTES + unread.length();
    }
    if (value instanceof JsonObject object) {
      return entries(object.getMap(), limit);
    }
    if (value instanceof JsonArray array) {
      return elements(array.getList(), limit);
    }
    return -1;
  }

  private static long entries(Map<?, ?> map, long limit) {
    long bytes = 2L * OBJECT_BYTES;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (bytes > limit) {
        break;
      }
      bytes +=
          2L * OBJECT_BYTES + element(entry.getKey(), limit) + element(entry.getValue(), limit);
    }
    return bytes;
  }

  private static long elements(List<?> list, long limit) {
    long bytes = 2L * OBJECT_BYTES;
    for (Object element : list) {
      if (bytes > limit) {
        break;
      }
      bytes += Long.BYTES + element(element, limit);
    }
    return bytes;
  }

  private static long element(Object value, long limit) {
    if (value instanceof Map<?, ?> map) {
      return entries(map, limit);
    }
    if (value instanceof List<?> list) {
      return elements(list, limit);
    }
    long known = plain(value, limit);
    return Math.max(OBJECT_BYTES, known >= 0 ? known : ObjectSizes.of(value, limit));
  }

  /** 0 for a codec of the local bus alone, which writes nothing or fails. */
  private static int encodedBytes(MessageCodec<Object, Object> codec, Object body) {
    Buffer encoded = Buffer.buffer();
    try {
      codec.encodeToWire(encoded, body);
    } catch (Throwable e) {
      if (HeapExhaustion.isCause(e)) {
        throw e;
      }
      return 0;
    }
    return encoded.length();
  }

  /** What to tell of a message that no memory tier has room for; empty for any other. */
  static String tooLarge(long bytes, long limit) {
    if (bytes <= limit) {
      return "";
    }
    return bytes < ObjectSizes.UNKNOWN
        ? ", and a body of more than " + limit + " bytes does not wait in memory"
        : ", and a body whose size is not known does not wait in memory: give it a SizedCodec";
  }
}
