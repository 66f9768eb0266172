package dev.weir.gateway.websocket;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * The head that most messages have: an object with an id and, in bytes, nothing else, such as
 * <code>{"id":17}</code>. It is read and written without JSON objects, which would cost more than
 * the message.
 */
final class PlainHead {
  private static final String HEAD = "{\"id\":";
  private static final byte[] START = HEAD.getBytes(StandardCharsets.US_ASCII);

  /** As many digits fit into a long in any case. */
  private static final int MAX_DIGITS = 18;

  private PlainHead() {}

  /**
   * The id in a head.
   *
   * @return a String, an Integer or a Long; null if the head is another than a plain one
   */
  static Object id(Buffer bytes, int from, int end) {
    int first = from + START.length;
    int last = end - 1;
    if (last <= first || bytes.getByte(last) != '}') {
      return null;
    }
    for (int i = 0; i < START.length; i++) {
      if (bytes.getByte(from + i) != START[i]) {
        return null;
      }
    }
    return bytes.getByte(first) == '"'
        ? text(bytes, first + 1, last - 1)
        : number(bytes, first, last);
  }

  private static String text(Buffer bytes, int from, int end) {
    if (end < from || bytes.getByte(end) != '"') {
      return null;
    }
    for (int i = from; i < end; i++) {
      if (!isPlain(bytes.getByte(i))) {
        return null;
      }
    }
    return bytes.getString(from, end, "US-ASCII");
  }

  private static Number number(Buffer bytes, int from, int end) {
    if (end - from > MAX_DIGITS || end - from > 1 && bytes.getByte(from) == '0') {
      return null;
    }
    long number = 0;
    for (int i = from; i < end; i++) {
      int digit = bytes.getByte(i) - '0';
      if (digit < 0 || digit > 9) {
        return null;
      }
      number = number * 10 + digit;
    }
    if (number > Integer.MAX_VALUE) {
      return number;
    }
    return (int) number;
  }

  /**
   * A message as text with such a head and a short body.
   *
   * @return null if it has to be made as JSON: the id needs escapes, or the body is neither null
   *     nor a boolean nor a whole number
   */
  static String text(Object id, Object body) {
    boolean isShort =
        body == null || body instanceof Boolean || body instanceof Integer || body instanceof Long;
    String text = isShort ? json(id) : null;
    if (text == null) {
      return null;
    }
    return body == null ? HEAD + text + '}' : HEAD + text + ",\"body\":" + body + '}';
  }

  /**
   * A message with such a head.
   *
   * @param body a Buffer or a byte array
   * @return null if the id needs escapes, so that the head has to be made as JSON
   */
  static Buffer frame(Object id, Object body) {
    String text = json(id);
    if (text == null) {
      return null;
    }
    int headBytes = START.length + text.length() + 1;
    Buffer frame =
        SocketFrame.sized(headBytes, body)
            .appendBytes(START)
            .appendString(text, "US-ASCII")
            .appendByte((byte) '}');
    return SocketFrame.withBody(frame, body);
  }

  /** Null if the id needs escapes. */
  private static String json(Object id) {
    return id instanceof String given ? quoted(given) : id.toString();
  }

  private static String quoted(String id) {
    for (int i = 0; i < id.length(); i++) {
      if (!isPlain(id.charAt(i))) {
        return null;
      }
    }
    return '"' + id + '"';
  }

  /** True for a character of ASCII that JSON does not escape. */
  private static boolean isPlain(int character) {
    return character >= ' ' && character < 127 && character != '"' && character != '\\';
  }
}
