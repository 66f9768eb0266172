package dev.weir.gateway.admin;

import dev.weir.flow.ServiceDeadLetters.Letter;
import dev.weir.flow.ServiceWaitingMessages.Waiting;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;

/** Shows messages to people: bodies as text where they are text, and cut where they are long. */
final class MessageJson {
  private MessageJson() {}

  /**
   * @param maxBodyBytes how much of the body to show
   */
  static JsonObject of(Letter letter, int maxBodyBytes) {
    return new JsonObject()
        .put("number", letter.number())
        .put("id", letter.id())
        .put("key", letter.key())
        .put("reason", letter.reason())
        .put("deliveries", letter.deliveries())
        .put("firstAttemptAt", time(letter.firstAttemptMs()))
        .put("lastAttemptAt", time(letter.lastAttemptMs()))
        .put("diedAt", time(letter.diedAtMs()))
        .put("headers", headers(letter.headers()))
        .put("body", body(letter.body(), maxBodyBytes));
  }

  static JsonObject of(Waiting message, int maxBodyBytes) {
    return new JsonObject()
        .put("sequence", message.sequence())
        .put("id", message.id())
        .put("key", message.key())
        .put("state", message.state().name().toLowerCase(Locale.ROOT))
        .put("durable", message.durable())
        .put("deliveries", message.deliveries())
        .put("reason", message.reason())
        .put("acceptedAt", time(message.acceptedAtMs()))
        .put("dueAt", time(message.dueAtMs()))
        .put("headers", headers(message.headers()))
        .put("body", body(message.body(), maxBodyBytes));
  }

  private static JsonArray headers(MultiMap headers) {
    JsonArray json = new JsonArray();
    headers.forEach(
        (name, value) -> json.add(new JsonObject().put("name", name).put("value", value)));
    return json;
  }

  /** Null for 0, which stands for none. */
  private static String time(long atMs) {
    return atMs == 0 ? null : Instant.ofEpochMilli(atMs).toString();
  }

  private static JsonObject body(Object body, int maxBytes) {
    if (body == null) {
      return null;
    }
    byte[] bytes = bytes(body);
    byte[] shown = bytes.length <= maxBytes ? bytes : Arrays.copyOf(bytes, maxBytes);
    JsonObject json =
        new JsonObject()
            .put("type", body instanceof Buffer ? "Buffer" : body.getClass().getSimpleName())
            .put("bytes", bytes.length)
            .put("cut", shown.length < bytes.length);
    String text = textOrNull(shown, shown.length < bytes.length);
    return text != null
        ? json.put("text", text)
        : json.put("base64", Base64.getEncoder().encodeToString(shown));
  }

  private static byte[] bytes(Object body) {
    if (body instanceof Buffer buffer) {
      return buffer.getBytes();
    }
    if (body instanceof byte[] array) {
      return array;
    }
    return body.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Null if it is not UTF-8 to be read; a cut may have split the last character. */
  private static String textOrNull(byte[] bytes, boolean cut) {
    for (int end = bytes.length; end >= Math.max(0, bytes.length - (cut ? 3 : 0)); end--) {
      try {
        String text =
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, end)).toString();
        return text.chars().allMatch(MessageJson::isReadable) ? text : null;
      } catch (CharacterCodingException e) {
        // One byte less, as long as the cut may be the cause.
      }
    }
    return null;
  }

  private static boolean isReadable(int character) {
    return !Character.isISOControl(character)
        || character == '\n'
        || character == '\r'
        || character == '\t';
  }
}
