package dev.weir.state.index;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The form of a value in an index: bytes whose order, as unsigned numbers, is the order of the
 * values. Truth values come before numbers, numbers before texts. No form is the beginning of
 * another one.
 *
 * <pre>
 * truth value  0x20, 0 or 1
 * number       0x30, its double (8 bytes, ordered), its long (8 bytes, ordered)
 * text         0x40, at most 256 bytes of UTF-8 with 0 as 0 255, then 0 0
 * </pre>
 */
public final class IndexValue {
  /** What is behind it in a longer text does not count for the order. */
  static final int MAX_TEXT_BYTES = 256;

  private static final byte TRUTH = 0x20;
  private static final byte NUMBER = 0x30;
  private static final byte TEXT = 0x40;
  private static final int NUMBER_BYTES = 1 + 2 * Long.BYTES;

  private IndexValue() {}

  /**
   * The form of a value.
   *
   * @return null for null, objects and arrays, which are not indexed
   */
  public static byte[] of(Object value) {
    if (value instanceof Boolean truth) {
      return new byte[] {TRUTH, (byte) (truth ? 1 : 0)};
    }
    if (value instanceof Number number) {
      return number(number);
    }
    return value instanceof CharSequence text ? text(text.toString(), true) : null;
  }

  /** What the forms of all texts begin with that begin with this one. */
  public static byte[] ofPrefix(String prefix) {
    return text(prefix, false);
  }

  private static byte[] number(Number number) {
    long bits = Double.doubleToLongBits(number.doubleValue() + 0.0);
    long ordered = bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
    // Whole numbers beyond 2^53 share doubles.
    return ByteBuffer.allocate(NUMBER_BYTES)
        .put(NUMBER)
        .putLong(ordered)
        .putLong(whole(number) ^ Long.MIN_VALUE)
        .array();
  }

  private static long whole(Number number) {
    double value = number.doubleValue();
    if (value >= 0x1p63) {
      return Long.MAX_VALUE;
    }
    return value < -0x1p63 ? Long.MIN_VALUE : number.longValue();
  }

  private static byte[] text(String text, boolean whole) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(utf8.length + 3);
    out.write(TEXT);
    for (int i = 0; i < Math.min(utf8.length, MAX_TEXT_BYTES); i++) {
      out.write(utf8[i]);
      if (utf8[i] == 0) {
        out.write(0xff);
      }
    }
    if (whole) {
      out.write(0);
      out.write(0);
    }
    return out.toByteArray();
  }

  /** The length of the form that begins here. */
  static int length(byte[] bytes, int start) {
    switch (bytes[start]) {
      case TRUTH:
        return 2;
      case NUMBER:
        return NUMBER_BYTES;
      default:
        int end = start + 1;
        while (bytes[end] != 0 || bytes[end + 1] != 0) {
          end += bytes[end] == 0 ? 2 : 1;
        }
        return end + 2 - start;
    }
  }

  /**
   * Compares two values as the index orders them, but exactly.
   *
   * @return null if one is a text and the other a number, or the like
   */
  public static Integer compare(Object one, Object other) {
    if (one instanceof Boolean a && other instanceof Boolean b) {
      return a.compareTo(b);
    }
    if (one instanceof Number a && other instanceof Number b) {
      return isFinite(a) && isFinite(b)
          ? exact(a).compareTo(exact(b))
          : Double.compare(a.doubleValue(), b.doubleValue());
    }
    if (one instanceof CharSequence a && other instanceof CharSequence b) {
      return Arrays.compareUnsigned(
          a.toString().getBytes(StandardCharsets.UTF_8),
          b.toString().getBytes(StandardCharsets.UTF_8));
    }
    return null;
  }

  private static boolean isFinite(Number number) {
    return !(number instanceof Double || number instanceof Float)
        || Double.isFinite(number.doubleValue());
  }

  private static BigDecimal exact(Number number) {
    if (number instanceof BigDecimal decimal) {
      return decimal;
    }
    if (number instanceof BigInteger whole) {
      return new BigDecimal(whole);
    }
    return number instanceof Double || number instanceof Float
        ? BigDecimal.valueOf(number.doubleValue())
        : BigDecimal.valueOf(number.longValue());
  }
}
