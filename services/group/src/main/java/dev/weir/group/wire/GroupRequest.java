package dev.weir.group.wire;

import dev.weir.options.Checks;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * A request on its way to the primary. All numbers are big-endian.
 *
 * <pre>
 * 0 byte version
 * 1 int  bytes of the id, -1 for none, and the id in UTF-8
 *   int  bytes of the key, -1 for none, and the key in UTF-8
 *   byte type of the body, and its bytes
 * </pre>
 *
 * @param content the body with its type, as it came
 */
public record GroupRequest(String id, String key, Object body, Buffer content) {
  static final byte VERSION = 1;

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
   * @throws IllegalArgumentException if it is of another version
   * @throws IndexOutOfBoundsException if it is cut off
   */
  public static GroupRequest decode(Buffer in) {
    if (in.getByte(0) != VERSION) {
      throw new IllegalArgumentException(
          "a request has version " + in.getByte(0) + ", known is " + VERSION);
    }
    int idAt = 1;
    int keyAt = idAt + Integer.BYTES + Math.max(0, in.getInt(idAt));
    int bodyAt = keyAt + Integer.BYTES + Math.max(0, in.getInt(keyAt));
    return new GroupRequest(
        text(in, idAt), text(in, keyAt), Bodies.read(in, bodyAt), in.slice(bodyAt, in.length()));
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
