package dev.weir.queue;

import dev.weir.options.Checks;

/**
 * Id, key, delay and expiry of one message. Immutable.
 *
 * @param id names the message for de-duplication, see {@link QueueOptions#setDedupMaxIds}; null for
 *     none
 * @param key messages of the same key keep their order, see {@link DeliveryOrder#KEY}; null for
 *     none
 * @param notBeforeMs earliest time of delivery, ms since 1970; 0 for no delay
 * @param expiresAtMs time from which the message is not delivered any more, ms since 1970; 0 for
 *     never
 */
public record MessageOptions(String id, String key, long notBeforeMs, long expiresAtMs) {
  /** Largest length of an id or a key: {@value} characters. */
  public static final int MAX_TEXT_CHARS = 1000;

  /** No id, no key, no delay, no expiry. */
  public static final MessageOptions NONE = new MessageOptions(null, null, 0, 0);

  /**
   * @throws IllegalArgumentException if a text is empty or too long, or a time is negative
   */
  public MessageOptions {
    text("id", id);
    text("key", key);
    Checks.range("notBeforeMs", notBeforeMs, 0, Long.MAX_VALUE);
    Checks.range("expiresAtMs", expiresAtMs, 0, Long.MAX_VALUE);
  }

  private static void text(String option, String value) {
    if (value != null && (value.isEmpty() || value.length() > MAX_TEXT_CHARS)) {
      throw new IllegalArgumentException(
          option + " has " + value.length() + " characters, allowed is 1 to " + MAX_TEXT_CHARS);
    }
  }

  /** A copy with another id. */
  public MessageOptions withId(String newId) {
    return new MessageOptions(newId, key, notBeforeMs, expiresAtMs);
  }

  /** A copy with another key. */
  public MessageOptions withKey(String newKey) {
    return new MessageOptions(id, newKey, notBeforeMs, expiresAtMs);
  }

  /** A copy with another earliest time of delivery, ms since 1970. */
  public MessageOptions withNotBeforeMs(long newNotBeforeMs) {
    return new MessageOptions(id, key, newNotBeforeMs, expiresAtMs);
  }

  /** A copy with another expiry, ms since 1970. */
  public MessageOptions withExpiresAtMs(long newExpiresAtMs) {
    return new MessageOptions(id, key, notBeforeMs, newExpiresAtMs);
  }

  /** True if nothing is set. */
  public boolean isNone() {
    return id == null && key == null && notBeforeMs == 0 && expiresAtMs == 0;
  }

  /** True if the message has expired at a time, ms since 1970. */
  public boolean isExpired(long nowMs) {
    return expiresAtMs != 0 && expiresAtMs <= nowMs;
  }
}
