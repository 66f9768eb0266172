package dev.weir.group.wire;

import dev.weir.options.Checks;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request on its way to the primary. All numbers are big-endian.
 *
 * <pre>
 * 0 byte version: 1, or 2 with a trace
 * 1 in version 2: int number of headers, and of each the name and the value, as the id is
 *   int  bytes of the id, -1 for none, and the id in UTF-8
 *   int  bytes of the key, -1 for none, and the key in UTF-8
 *   byte type of the body, and its bytes
 * </pre>
 *
 * @param trace headers that name the trace; empty without one
 * @param content the body with its type, as it came
 */
public record GroupRequest(
    String id, String key, Map<String, String> trace, Object body, Buffer content) {
  static final byte VERSION = 1;
  static final byte TRACED = 2;

  /**
   * @param id may be null
   * @param key may be null
   * @throws IllegalArgumentException if a body of that type cannot be sent, or if id or key has
   *     half of a surrogate pair
   */
  public static Buffer encode(String id, String key, Object body) {
    Buffer out = Buffer.buffer().appendByte(VERSION);
    append(out, "id", id);
    append(out, "key", key);
    Bodies.append(out, body);
    return out;
  }

  /**
   * A request with the headers that name its trace.
   *
   * @param request without a trace; not changed
   * @param trace the request is returned if there are none
   */
  public static Buffer withTrace(Buffer request, Map<String, String> trace) {
    if (trace.isEmpty()) {
      return request;
    }
    Buffer out = Buffer.buffer().appendByte(TRACED).appendInt(trace.size());
    trace.forEach(
        (name, value) -> {
          append(out, "header", name);
          append(out, name, value);
        });
    return out.appendBuffer(request, 1, request.length() - 1);
  }

  /**
   * @throws IllegalArgumentException if it is of another version
   * @throws IndexOutOfBoundsException if it is cut off
   */
  public static GroupRequest decode(Buffer in) {
    byte version = in.getByte(0);
    if (version != VERSION && version != TRACED) {
      throw new IllegalArgumentException(
          "a request has version " + version + ", known is " + VERSION + " to " + TRACED);
    }
    Map<String, String> trace = version == VERSION ? Map.of() : new LinkedHashMap<>();
    int idAt = version == VERSION ? 1 : readTrace(in, trace);
    int keyAt = after(in, idAt);
    int bodyAt = after(in, keyAt);
    return new GroupRequest(
        text(in, idAt),
        text(in, keyAt),
        trace,
        Bodies.read(in, bodyAt),
        in.slice(bodyAt, in.length()));
  }

  /** Returns where the trace ends. */
  private static int readTrace(Buffer in, Map<String, String> trace) {
    int at = 1 + Integer.BYTES;
    for (int left = in.getInt(1); left > 0; left--) {
      int valueAt = after(in, at);
      trace.put(text(in, at), text(in, valueAt));
      at = after(in, valueAt);
    }
    return at;
  }

  /** Where a text ends that begins there with its length. */
  private static int after(Buffer in, int at) {
    return at + Integer.BYTES + Math.max(0, in.getInt(at));
  }

  private static void append(Buffer out, String name, String text) {
    if (text == null) {
      out.appendInt(-1);
    } else {
      byte[] bytes = Checks.encodable(name, text).getBytes(StandardCharsets.UTF_8);
      out.appendInt(bytes.length).appendBytes(bytes);
    }
  }

  private static String text(Buffer in, int at) {
    int bytes = in.getInt(at);
    int from = at + Integer.BYTES;
    return bytes < 0 ? null : in.getString(from, from + bytes);
  }
}
