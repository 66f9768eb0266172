package dev.weir.state;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Writes CBOR (RFC 8949): what JSON has, in its shortest form but for fractions. */
final class CborWriter {
  private static final int UNSIGNED = 0;
  private static final int NEGATIVE = 1;
  private static final int TEXT = 3;
  private static final int ARRAY = 4;
  private static final int MAP = 5;
  private static final int FALSE = 0xF4;
  private static final int TRUE = 0xF5;
  private static final int NULL = 0xF6;
  private static final int DOUBLE = 0xFB;
  private static final int UNSIGNED_BITS = 64;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream(512);

  private CborWriter() {}

  /**
   * @throws IllegalArgumentException if something in it has no form in JSON
   */
  static byte[] encode(JsonObject object) {
    CborWriter writer = new CborWriter();
    writer.map(object.getMap());
    return writer.out.toByteArray();
  }

  private void value(Object value) {
    if (value == null) {
      out.write(NULL);
    } else if (value instanceof String text) {
      text(text);
    } else if (value instanceof Boolean truth) {
      out.write(truth ? TRUE : FALSE);
    } else if (value instanceof Number number) {
      number(number);
    } else if (value instanceof JsonObject object) {
      map(object.getMap());
    } else if (value instanceof JsonArray array) {
      array(array.getList());
    } else if (value instanceof Map<?, ?> map) {
      map(map);
    } else if (value instanceof List<?> list) {
      array(list);
    } else {
      other(value);
    }
  }

  /** Values of other types are what they are in JSON. */
  private void other(Object value) {
    value(new JsonArray(new JsonArray().add(value).toBuffer()).getValue(0));
  }

  private void map(Map<?, ?> members) {
    head(MAP, members.size());
    members.forEach(
        (name, value) -> {
          text((String) name);
          value(value);
        });
  }

  private void array(List<?> elements) {
    head(ARRAY, elements.size());
    elements.forEach(this::value);
  }

  private void text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    head(TEXT, utf8.length);
    out.writeBytes(utf8);
  }

  private void number(Number number) {
    if (number instanceof Integer
        || number instanceof Long
        || number instanceof Short
        || number instanceof Byte) {
      long value = number.longValue();
      head(value < 0 ? NEGATIVE : UNSIGNED, value < 0 ? ~value : value);
    } else if (number instanceof BigInteger large && isShort(large)) {
      boolean negative = large.signum() < 0;
      head(negative ? NEGATIVE : UNSIGNED, (negative ? large.not() : large).longValue());
    } else {
      double value = number.doubleValue();
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException("the number " + number + " is not finite");
      }
      out.write(DOUBLE);
      out.writeBytes(ByteBuffer.allocate(Double.BYTES).putDouble(value).array());
    }
  }

  private static boolean isShort(BigInteger number) {
    return (number.signum() < 0 ? number.not() : number).bitLength() <= UNSIGNED_BITS;
  }

  /** The first byte, and the argument behind it as an unsigned number. */
  private void head(int type, long argument) {
    int major = type << 5;
    if (argument >= 0 && argument < 24) {
      out.write(major | (int) argument);
      return;
    }
    int width =
        argument < 0 || argument > 0xFFFF_FFFFL
            ? Long.BYTES
            : argument > 0xFFFF ? Integer.BYTES : argument > 0xFF ? Short.BYTES : 1;
    out.write(major | 24 + Integer.numberOfTrailingZeros(width));
    for (int shift = (width - 1) * 8; shift >= 0; shift -= 8) {
      out.write((int) (argument >>> shift));
    }
  }
}
