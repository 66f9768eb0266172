package dev.weir.state;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Writes JSON straight into one array. The codec of Vert.x makes a generator and copies the result
 * twice, which costs more than all else that an operation in memory does.
 */
final class JsonWriter {
  private static final int FIRST_BYTES = 512;

  /** Chars of a text that are written at once. */
  private static final int PIECE_CHARS = 1_024;

  /** The most that one char needs. */
  private static final int MAX_ESCAPE_BYTES = 6;

  /** What the parser of Vert.x can read. */
  private static final int MAX_DEPTH = 1_000;

  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;
  private int depth;

  private JsonWriter() {}

  /** Encodes an object as the codec of Vert.x does; what only that knows is left to it. */
  static byte[] encode(JsonObject object) {
    JsonWriter writer = new JsonWriter();
    return writer.object(object.getMap())
        ? Arrays.copyOf(writer.bytes, writer.length)
        : object.toBuffer().getBytes();
  }

  /** False for something that the codec of Vert.x has a form of its own for, or none. */
  private boolean value(Object value) {
    if (value instanceof String text) {
      return text(text);
    }
    if (value == null) {
      return word(NULL);
    }
    if (value instanceof Boolean truth) {
      return word(truth ? TRUE : FALSE);
    }
    if (value instanceof Number number) {
      return number(number);
    }
    if (value instanceof JsonObject object) {
      return object(object.getMap());
    }
    if (value instanceof JsonArray array) {
      return array(array.getList());
    }
    if (value instanceof Map<?, ?> map) {
      return object(map);
    }
    return value instanceof List<?> list && array(list);
  }

  private boolean object(Map<?, ?> members) {
    deeper();
    put('{');
    boolean first = true;
    for (Map.Entry<?, ?> member : members.entrySet()) {
      if (!first) {
        put(',');
      }
      first = false;
      if (!(member.getKey() instanceof String name) || !text(name)) {
        return false;
      }
      put(':');
      if (!value(member.getValue())) {
        return false;
      }
    }
    depth--;
    return put('}');
  }

  private boolean array(List<?> elements) {
    deeper();
    put('[');
    boolean first = true;
    for (Object element : elements) {
      if (!first) {
        put(',');
      }
      first = false;
      if (!value(element)) {
        return false;
      }
    }
    depth--;
    return put(']');
  }

  private void deeper() {
    if (++depth > MAX_DEPTH) {
      throw new IllegalArgumentException("the content is nested more than " + MAX_DEPTH + " deep");
    }
  }

  private boolean number(Number number) {
    boolean plain =
        number instanceof Integer
            || number instanceof Long
            || number instanceof Double d && Double.isFinite(d)
            || number instanceof Float f && Float.isFinite(f)
            || number instanceof Short
            || number instanceof Byte
            || number.getClass() == BigDecimal.class
            || number.getClass() == BigInteger.class;
    return plain && word(number.toString().getBytes(StandardCharsets.US_ASCII));
  }

  private boolean text(String text) {
    int chars = text.length();
    reserve(chars + 1L);
    byte[] out = bytes;
    int at = length;
    out[at++] = '"';
    int plain = 0;
    for (; plain < chars; plain++) {
      char each = text.charAt(plain);
      if (each < ' ' || each >= 0x7F || each == '"' || each == '\\') {
        break;
      }
      out[at++] = (byte) each;
    }
    length = at;
    for (int from = plain; from < chars; ) {
      int to = Math.min(chars, from + PIECE_CHARS);
      if (to < chars && Character.isHighSurrogate(text.charAt(to - 1))) {
        to++;
      }
      if (!piece(text, from, to)) {
        return false;
      }
      from = to;
    }
    return put('"');
  }

  private boolean piece(String text, int from, int to) {
    reserve((long) MAX_ESCAPE_BYTES * (to - from));
    byte[] out = bytes;
    int at = length;
    for (int i = from; i < to; i++) {
      char each = text.charAt(i);
      if (each < 0x80) {
        if (each >= ' ' && each != '"' && each != '\\') {
          out[at++] = (byte) each;
        } else {
          at = escape(each, at);
        }
      } else if (each < 0x800) {
        out[at++] = (byte) (0xC0 | each >> 6);
        out[at++] = (byte) (0x80 | each & 0x3F);
      } else if (!Character.isSurrogate(each)) {
        out[at++] = (byte) (0xE0 | each >> 12);
        out[at++] = (byte) (0x80 | each >> 6 & 0x3F);
        out[at++] = (byte) (0x80 | each & 0x3F);
      } else if (Character.isHighSurrogate(each)
          && i + 1 < to
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        int point = Character.toCodePoint(each, text.charAt(++i));
        out[at++] = (byte) (0xF0 | point >> 18);
        out[at++] = (byte) (0x80 | point >> 12 & 0x3F);
        out[at++] = (byte) (0x80 | point >> 6 & 0x3F);
        out[at++] = (byte) (0x80 | point & 0x3F);
      } else {
        return false;
      }
    }
    length = at;
    return true;
  }

  private int escape(char each, int from) {
    int at = from;
    bytes[at++] = '\\';
    switch (each) {
      case '"', '\\' -> bytes[at++] = (byte) each;
      case '\n' -> bytes[at++] = 'n';
      case '\r' -> bytes[at++] = 'r';
      case '\t' -> bytes[at++] = 't';
      case '\b' -> bytes[at++] = 'b';
      case '\f' -> bytes[at++] = 'f';
      default -> {
        bytes[at++] = 'u';
        bytes[at++] = '0';
        bytes[at++] = '0';
        bytes[at++] = HEX[each >> 4];
        bytes[at++] = HEX[each & 0xF];
      }
    }
    return at;
  }

  private boolean word(byte[] word) {
    reserve(word.length);
    System.arraycopy(word, 0, bytes, length, word.length);
    length += word.length;
    return true;
  }

  private boolean put(char sign) {
    reserve(1);
    bytes[length++] = (byte) sign;
    return true;
  }

  private void reserve(long more) {
    long needed = length + more;
    if (needed > bytes.length) {
      if (needed > Integer.MAX_VALUE - 8) {
        throw new IllegalArgumentException("the content is too large");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.max(needed, Math.min(2L * bytes.length, 1 << 30)));
    }
  }
}
