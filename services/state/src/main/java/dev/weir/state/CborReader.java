package dev.weir.state;

import io.vertx.core.json.JsonObject;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads CBOR (RFC 8949), as far as it has the values of JSON. */
final class CborReader {
  private static final int MAX_DEPTH = 1_000;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private static final int UNSIGNED = 0;
  private static final int NEGATIVE = 1;
  private static final int TEXT = 3;
  private static final int ARRAY = 4;
  private static final int MAP = 5;
  private static final int SIMPLE = 7;

  private static final int INDEFINITE = 31;
  private static final int BREAK = 0xFF;

  private final byte[] bytes;

  /** Whether values are made; or else they are only checked. */
  private final boolean makes;

  private int at;

  /** Where the text that was read last begins, behind its length. */
  private int textStart;

  private int depth;

  private CborReader(byte[] bytes, boolean makes) {
    this.bytes = bytes;
    this.makes = makes;
  }

  /** Checks that bytes are one map with texts as keys, and nothing else. */
  static void check(byte[] bytes) {
    new CborReader(bytes, false).document();
  }

  static JsonObject read(byte[] bytes) {
    return new JsonObject(new CborReader(bytes, true).document());
  }

  private Map<String, Object> document() {
    int head = next();
    if (head >> 5 != MAP) {
      throw bad("it is no map");
    }
    Map<String, Object> document = map(head & 31);
    if (at != bytes.length) {
      throw bad("there is something behind the map");
    }
    return document;
  }

  private static DocumentException bad(String why) {
    return Formats.bad("the body is not a CBOR object: " + why, null);
  }

  private int next() {
    if (at >= bytes.length) {
      throw bad("it ends too early");
    }
    return bytes[at++] & 0xFF;
  }

  private Object value(int head) {
    int detail = head & 31;
    switch (head >> 5) {
      case UNSIGNED:
        return whole(argument(detail), false);
      case NEGATIVE:
        return whole(argument(detail), true);
      case TEXT:
        return text(detail);
      case ARRAY:
        return array(detail);
      case MAP:
        Map<String, Object> map = map(detail);
        return map == null ? null : new JsonObject(map);
      case SIMPLE:
        return simple(detail);
      default:
        throw bad("it has a byte string or a tag");
    }
  }

  /** The number behind the first byte, unsigned. */
  private long argument(int detail) {
    if (detail < 24) {
      return detail;
    }
    if (detail > 27) {
      throw bad("it has a length that is not known");
    }
    int width = 1 << detail - 24;
    if (bytes.length - at < width) {
      throw bad("it ends too early");
    }
    long value = 0;
    for (int i = 0; i < width; i++) {
      value = value << 8 | bytes[at++] & 0xFF;
    }
    return value;
  }

  private Number whole(long argument, boolean negative) {
    if (!makes) {
      return null;
    }
    if (argument < 0) {
      BigInteger large = new BigInteger(Long.toUnsignedString(argument));
      return negative ? large.not() : large;
    }
    long value = negative ? ~argument : argument;
    return value == (int) value ? (Number) (int) value : (Number) value;
  }

  /** How many elements come; each is at least a byte. -1 for those up to a break. */
  private int count(int detail, int bytesOfEach) {
    if (detail == INDEFINITE) {
      return -1;
    }
    long count = argument(detail);
    if (count < 0 || count > (bytes.length - at) / bytesOfEach) {
      throw bad("it ends too early");
    }
    return (int) count;
  }

  private String text(int detail) {
    int length = count(detail, 1);
    if (length < 0) {
      throw bad("it has a text in pieces");
    }
    textStart = at;
    at += length;
    if (!isAscii(textStart, at)) {
      checkUtf8(textStart, length);
    }
    return makes ? new String(bytes, textStart, length, StandardCharsets.UTF_8) : null;
  }

  private boolean isAscii(int start, int end) {
    int i = start;
    for (; i + Long.BYTES <= end; i += Long.BYTES) {
      if (((long) LONGS.get(bytes, i) & HIGH_BITS) != 0) {
        return false;
      }
    }
    for (; i < end; i++) {
      if (bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }

  private void checkUtf8(int start, int length) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, start, length));
    } catch (CharacterCodingException e) {
      throw bad("a text is not UTF-8");
    }
  }

  private void deeper() {
    if (++depth > MAX_DEPTH) {
      throw bad("it is nested more than " + MAX_DEPTH + " deep");
    }
  }

  private List<Object> array(int detail) {
    deeper();
    int count = count(detail, 1);
    List<Object> array = makes ? new ArrayList<>() : null;
    for (int i = 0; i != count; i++) {
      int head = next();
      if (count < 0 && head == BREAK) {
        break;
      }
      Object value = value(head);
      if (makes) {
        array.add(value);
      }
    }
    depth--;
    return array;
  }

  private Map<String, Object> map(int detail) {
    deeper();
    int count = count(detail, 2);
    Map<String, Object> map = makes ? new LinkedHashMap<>() : null;
    Set<String> names = makes || count == 1 ? null : new HashSet<>();
    for (int i = 0; i != count; i++) {
      int head = next();
      if (count < 0 && head == BREAK) {
        break;
      }
      if (head >> 5 != TEXT) {
        throw bad("a key is no text");
      }
      String name = text(head & 31);
      if (names != null) {
        // The bytes of the text alone: a length can be written in more than one way.
        String checked = new String(bytes, textStart, at - textStart, StandardCharsets.ISO_8859_1);
        if (!names.add(checked)) {
          throw bad("a key comes twice");
        }
      }
      Object value = value(next());
      if (makes && (map.put(name, value) != null || count != 1 && map.size() != i + 1)) {
        throw bad("a key comes twice");
      }
    }
    depth--;
    return map;
  }

  private Object simple(int detail) {
    switch (detail) {
      case 20:
        return false;
      case 21:
        return true;
      case 22:
        return null;
      case 25:
        return fraction(half((int) argument(detail)));
      case 26:
        return fraction(Float.intBitsToFloat((int) argument(detail)));
      case 27:
        return fraction(Double.longBitsToDouble(argument(detail)));
      default:
        throw bad("it has a simple value that JSON has not");
    }
  }

  private static Double fraction(double value) {
    if (!Double.isFinite(value)) {
      throw bad("a number is not finite");
    }
    return value;
  }

  private static double half(int bits) {
    int exponent = bits >> 10 & 31;
    int mantissa = bits & 0x3FF;
    double size =
        switch (exponent) {
          case 0 -> Math.scalb((double) mantissa, -24);
          case 31 -> mantissa == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
          default -> Math.scalb((double) (mantissa + 1024), exponent - 25);
        };
    return (bits & 0x8000) == 0 ? size : -size;
  }
}
