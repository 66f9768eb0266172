package dev.weir.gateway.admin;

import dev.weir.flow.ServiceDeadLetters.Letter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * Shows dead letters to people: bodies as text where they are text, and cut where they are long.
 */
final class DeadLetterJson {
  private DeadLetterJson() {}

  /**
   * @param maxBodyBytes how much of the body to show
   */
  static JsonObject of(Letter letter, int maxBodyBytes) {
    JsonArray headers = new JsonArray();
    letter
        .headers()
        .forEach(
            (name, value) -> headers.add(new JsonObject().put("name", name).put("value", value)));
    return new JsonObject()
        .put("number", letter.number())
        .put("id", letter.id())
        .put("key", letter.key())
        .put("reason", letter.reason())
        .put("deliveries", letter.deliveries())
        .put("firstAttemptAt", time(letter.firstAttemptMs()))
        .put("lastAttemptAt", time(letter.lastAttemptMs()))
        .put("diedAt", time(letter.diedAtMs()))
        .put("headers", headers)
        .put("body", body(letter.body(), maxBodyBytes));
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
        return text.chars().allMatch(DeadLetterJson::isReadable) ? text : null;
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
