package dev.weir.bench.eventbus.body;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.zip.CRC32C;

/**
 * JSON objects: bytes at the client, bytes or a {@code JsonObject} at the service. The first field
 * is the number of the operation, the last field a check of it. Between them are the fields of a
 * small state, as many items of a list as fit, and a text that fills the rest.
 */
public final class JsonBodies extends Bodies {
  /** The smallest body: both ends and an empty text. */
  static final int MIN_SIZE_BYTES = 62;

  /** The full check turns an object into bytes again; it is made for one object in so many. */
  private static final int OBJECT_SAMPLE = 64;

  private static final String ID = "id";
  private static final String CHECK = "check";
  private static final int DIGITS = 16;
  private static final int BITS_PER_DIGIT = 4;
  private static final int RADIX = 16;
  private static final String HEAD = "{\"id\":\"";
  private static final String AFTER_HEAD = "\",";
  private static final String BEFORE_TAIL = ",\"check\":\"";
  private static final String TAIL = "\"}";
  private static final String TEXT = "\"text\":\"";
  private static final String TEXT_END = "\"";
  private static final String STATE =
      "\"name\":\"example-17\",\"counter\":17,\"rate\":0.25,\"active\":true,\"version\":42,"
          + "\"epoch\":3,\"kind\":\"dev:weir:bench:ExampleState\",\"selfLink\":\"/examples/17\","
          + "\"updateTimeMicros\":1795271429000000,\"updateAction\":\"PUT\",\"owner\":\"9b4c0f5e\",";
  private static final String ITEMS = "\"items\":[";
  private static final String ITEM = "{\"sku\":\"A-100017\",\"count\":3,\"price\":9.75}";
  private static final String ITEMS_END = "],";

  private final byte[] template;
  private final int middleCrc;
  private final ArrayDeque<Buffer> idle = new ArrayDeque<>();

  /** Bodies of this size, at least {@value #MIN_SIZE_BYTES} bytes. */
  public JsonBodies(int sizeBytes) {
    super(sizeBytes);
    if (sizeBytes < MIN_SIZE_BYTES) {
      throw new IllegalArgumentException(
          "sizeBytes must be at least " + MIN_SIZE_BYTES + ": " + sizeBytes);
    }
    String digits = "0".repeat(DIGITS);
    String head = HEAD + digits + AFTER_HEAD;
    String tail = BEFORE_TAIL + digits + TAIL;
    String json = head + middle(sizeBytes - head.length() - tail.length()) + tail;
    this.template = json.getBytes(StandardCharsets.US_ASCII);
    this.middleCrc = middleCrc(template);
  }

  private static String middle(int bytes) {
    int room = bytes - TEXT.length() - TEXT_END.length();
    StringBuilder json = new StringBuilder(bytes);
    if (room >= STATE.length()) {
      json.append(STATE);
    }
    appendItems(json, room - json.length() - ITEMS.length() - ITEMS_END.length());
    return json.append(TEXT)
        .append("x".repeat(room + TEXT.length() - json.length()))
        .append(TEXT_END)
        .toString();
  }

  private static void appendItems(StringBuilder json, int room) {
    int items = room / (ITEM.length() + 1);
    if (items > 0) {
      json.append(ITEMS).append(ITEM);
      json.append(("," + ITEM).repeat(items - 1)).append(ITEMS_END);
    }
  }

  @Override
  public Object take(long operation) {
    Buffer buffer = idle.poll();
    return stamp(buffer == null ? Buffer.buffer(template) : buffer, operation);
  }

  private Buffer stamp(Buffer buffer, long operation) {
    putDigits(buffer, HEAD.length(), operation);
    putDigits(buffer, checkAt(), payload.tail(operation));
    return buffer;
  }

  private int checkAt() {
    return template.length - TAIL.length() - DIGITS;
  }

  @Override
  public void giveBack(Object body) {
    idle.push((Buffer) body);
  }

  @Override
  public long operationOf(Object body) {
    if (body instanceof JsonObject json) {
      return digits(json.getValue(ID));
    }
    return body instanceof Buffer bytes && bytes.length() == template.length
        ? digits(bytes, HEAD.length())
        : -1;
  }

  @Override
  public boolean matches(long operation, Object body) {
    if (body instanceof JsonObject json) {
      return operation % OBJECT_SAMPLE == 0
          ? bytesMatch(operation, json.toBuffer())
          : digits(json.getValue(ID)) == operation
              && digits(json.getValue(CHECK)) == payload.tail(operation);
    }
    return body instanceof Buffer bytes && bytesMatch(operation, bytes);
  }

  private boolean bytesMatch(long operation, Buffer bytes) {
    return bytes.length() == template.length
        && digits(bytes, HEAD.length()) == operation
        && digits(bytes, checkAt()) == payload.tail(operation)
        && (!payload.isSampled(operation) || middleCrc(bytes.getBytes()) == middleCrc);
  }

  private int middleCrc(byte[] json) {
    int from = HEAD.length() + DIGITS;
    CRC32C crc = new CRC32C();
    crc.update(json, 0, HEAD.length());
    crc.update(json, from, checkAt() - from);
    crc.update(json, checkAt() + DIGITS, TAIL.length());
    return (int) crc.getValue();
  }

  private static void putDigits(Buffer buffer, int at, long value) {
    for (int i = 0; i < DIGITS; i++) {
      int digit = (int) (value >>> (BITS_PER_DIGIT * (DIGITS - 1 - i))) & (RADIX - 1);
      buffer.setByte(at + i, (byte) Character.forDigit(digit, RADIX));
    }
  }

  private static long digits(Buffer buffer, int at) {
    long value = 0;
    for (int i = 0; i < DIGITS; i++) {
      value = value << BITS_PER_DIGIT | Character.digit(buffer.getByte(at + i), RADIX);
    }
    return value;
  }

  private static long digits(Object field) {
    try {
      return field instanceof String text ? Long.parseUnsignedLong(text, RADIX) : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  @Override
  public String describe() {
    return "a JSON object; the sender uses its buffers again";
  }

  @Override
  public String describeCheck() {
    return "length, first and last field of every body; CRC32C of the rest of a sample";
  }
}
