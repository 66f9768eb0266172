package dev.weir.queue.tool;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.queue.StoredMessage;
import java.io.IOException;
import java.util.Locale;

/** A message as a line of an export. Fields that do not apply are left out. */
final class MessageJson {
  static final String QUEUE = "queue";
  static final String STATE = "state";
  static final String SEQUENCE = "sequence";
  static final String DELIVERIES = "deliveries";
  static final String TRANSIENT = "transient";
  static final String WRITTEN_AT_MS = "writtenAtMs";
  static final String ID = "id";
  static final String KEY = "key";
  static final String EXPIRES_AT_MS = "expiresAtMs";
  static final String NOT_BEFORE_MS = "notBeforeMs";
  static final String ATTEMPTS = "attempts";
  static final String FIRST_ATTEMPT_AT_MS = "firstAttemptAtMs";
  static final String LAST_ATTEMPT_AT_MS = "lastAttemptAtMs";
  static final String REASON = "reason";
  static final String DIED_AT_MS = "diedAtMs";
  static final String LANE = "lane";
  static final String BODY = "body";
  static final String TEXT = "text";

  private MessageJson() {}

  static String name(StoredMessage.State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  /** All but the body. */
  static void writeHead(JsonGenerator object, StoredMessage message) throws IOException {
    object.writeStringField(QUEUE, message.queue());
    object.writeStringField(STATE, name(message.state()));
    object.writeNumberField(SEQUENCE, message.sequence());
    object.writeNumberField(DELIVERIES, message.deliveries());
    if (message.isTransient()) {
      object.writeBooleanField(TRANSIENT, true);
    }
    write(object, WRITTEN_AT_MS, message.writtenAtMs());
    write(object, ID, message.id());
    write(object, KEY, message.key());
    write(object, EXPIRES_AT_MS, message.expiresAtMs());
    write(object, NOT_BEFORE_MS, message.notBeforeMs());
    if (message.attempts() != null) {
      object.writeNumberField(ATTEMPTS, message.attempts());
    }
    write(object, FIRST_ATTEMPT_AT_MS, message.firstAttemptAtMs());
    write(object, LAST_ATTEMPT_AT_MS, message.lastAttemptAtMs());
    write(object, REASON, message.reason());
    write(object, DIED_AT_MS, message.diedAtMs());
    if (message.lane() != 0) {
      object.writeNumberField(LANE, message.lane());
    }
  }

  private static void write(JsonGenerator object, String name, Long value) throws IOException {
    if (value != null) {
      object.writeNumberField(name, value);
    }
  }

  private static void write(JsonGenerator object, String name, String value) throws IOException {
    if (value != null) {
      object.writeStringField(name, value);
    }
  }

  /** Everything, and the body once more as text if that is asked and possible. */
  static void write(JsonGenerator object, StoredMessage message, boolean withText)
      throws IOException {
    writeHead(object, message);
    object.writeBinaryField(BODY, message.body());
    String text = withText ? BodyText.text(message.body()) : null;
    write(object, TEXT, text);
  }
}
