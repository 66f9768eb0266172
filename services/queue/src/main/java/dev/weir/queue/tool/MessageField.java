package dev.weir.queue.tool;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.weir.queue.StoredMessage;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;

/** A field of a message in a line of an export. A field that does not apply is left out. */
enum MessageField {
  QUEUE("queue", MessageField::string, StoredMessage::queue),
  STATE("state", MessageField::string, message -> name(message.state())),
  SEQUENCE("sequence", MessageField::number, StoredMessage::sequence),
  DELIVERIES("deliveries", MessageField::count, StoredMessage::deliveries),
  TRANSIENT("transient", MessageField::bool, message -> message.isTransient() ? true : null),
  WRITTEN_AT_MS("writtenAtMs", MessageField::number, StoredMessage::writtenAtMs),
  ID("id", MessageField::string, StoredMessage::id),
  KEY("key", MessageField::string, StoredMessage::key),
  EXPIRES_AT_MS("expiresAtMs", MessageField::number, StoredMessage::expiresAtMs),
  NOT_BEFORE_MS("notBeforeMs", MessageField::number, StoredMessage::notBeforeMs),
  ATTEMPTS("attempts", MessageField::count, StoredMessage::attempts),
  FIRST_ATTEMPT_AT_MS("firstAttemptAtMs", MessageField::number, StoredMessage::firstAttemptAtMs),
  LAST_ATTEMPT_AT_MS("lastAttemptAtMs", MessageField::number, StoredMessage::lastAttemptAtMs),
  REASON("reason", MessageField::string, StoredMessage::reason),
  DIED_AT_MS("diedAtMs", MessageField::number, StoredMessage::diedAtMs),
  LANE("lane", MessageField::number, message -> message.lane() == 0 ? null : message.lane()),

  /** Written by {@link #write} only. */
  BODY("body", MessageField::binary, message -> null),

  /** The body as text; written by {@link #write} only. */
  TEXT("text", MessageField::string, message -> null);

  private final String label;
  private final Reader reader;
  private final Function<StoredMessage, Object> value;

  private interface Reader {
    Object read(String label, JsonParser json) throws IOException;
  }

  MessageField(String label, Reader reader, Function<StoredMessage, Object> value) {
    this.label = label;
    this.reader = reader;
    this.value = value;
  }

  static String name(StoredMessage.State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  /** Writes all fields of the message but the body. */
  static void writeHead(Json out, StoredMessage message) throws IOException {
    for (MessageField field : values()) {
      Object of = field.value.apply(message);
      if (of != null) {
        out.field(field.label, of);
      }
    }
  }

  /** Writes all fields of the message, and the body once more as text if asked and possible. */
  static void write(Json out, StoredMessage message, boolean withText) throws IOException {
    writeHead(out, message);
    out.field(BODY.label, message.body());
    String text = withText ? BodyText.text(message.body()) : null;
    if (text != null) {
      out.field(TEXT.label, text);
    }
  }

  /**
   * The field of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static MessageField of(String label) {
    return Arrays.stream(values())
        .filter(field -> field.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown field '" + label + "'"));
  }

  /**
   * Reads a value of the field.
   *
   * @throws IllegalArgumentException if the value has another type
   */
  Object read(JsonParser json) throws IOException {
    return reader.read(label, json);
  }

  private static String string(String label, JsonParser json) throws IOException {
    expect(json.currentToken() == JsonToken.VALUE_STRING, label, "a string");
    return json.getText();
  }

  private static byte[] binary(String label, JsonParser json) throws IOException {
    expect(json.currentToken() == JsonToken.VALUE_STRING, label, "a string in base64");
    try {
      return json.getBinaryValue();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(label + " is not base64", e);
    }
  }

  private static boolean bool(String label, JsonParser json) throws IOException {
    expect(json.currentToken().isBoolean(), label, "true or false");
    return json.getBooleanValue();
  }

  private static long number(String label, JsonParser json) throws IOException {
    expect(json.currentToken() == JsonToken.VALUE_NUMBER_INT, label, "a whole number");
    return json.getLongValue();
  }

  private static int count(String label, JsonParser json) throws IOException {
    long value = number(label, json);
    expect(value >= 0 && value <= Integer.MAX_VALUE, label, "0 to " + Integer.MAX_VALUE);
    return (int) value;
  }

  private static void expect(boolean condition, String label, String allowed) {
    if (!condition) {
      throw new IllegalArgumentException(label + " is not " + allowed);
    }
  }
}
