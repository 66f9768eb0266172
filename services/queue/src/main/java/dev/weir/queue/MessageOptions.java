package dev.weir.queue;

import dev.weir.options.Checks;

/**
 * Id, key, delay, expiry and fingerprint of one message. Immutable.
 *
 * @param id names the message for de-duplication, see {@link QueueOptions#setDedupMaxIds}; null for
 *     none
 * @param key messages of the same key keep their order, see {@link DeliveryOrder#KEY}; null for
 *     none
 * @param notBeforeMs earliest time of delivery, ms since 1970; 0 for no delay
 * @param expiresAtMs time from which the message is not delivered any more, ms since 1970; 0 for
 *     never
 * @param fingerprint stands for the content of a message with an id; null for none. A message with
 *     a remembered id and another fingerprint is refused with {@link
 *     QueueException.Reason#ID_REUSED}. The queue remembers the fingerprint with the id, not with
 *     the message: a message that is read has none.
 */
public record MessageOptions(
    String id, String key, long notBeforeMs, long expiresAtMs, String fingerprint) {
  /** Largest length of an id or a key: {@value} characters. */
  public static final int MAX_TEXT_CHARS = 1000;

  /** Largest length of a fingerprint: {@value} characters. */
  public static final int MAX_FINGERPRINT_CHARS = 100;

  /** No id, no key, no delay, no expiry, no fingerprint. */
  public static final MessageOptions NONE = new MessageOptions(null, null, 0, 0, null);

  /**
   * @throws IllegalArgumentException if a text is empty, too long or cannot be encoded as UTF-8, or
   *     if a time is negative
   */
  public MessageOptions {
    text("id", id, MAX_TEXT_CHARS);
    text("key", key, MAX_TEXT_CHARS);
    Checks.range("notBeforeMs", notBeforeMs, 0, Long.MAX_VALUE);
    Checks.range("expiresAtMs", expiresAtMs, 0, Long.MAX_VALUE);
    text("fingerprint", fingerprint, MAX_FINGERPRINT_CHARS);
    if (fingerprint != null && fingerprint.indexOf(0) >= 0) {
      throw new IllegalArgumentException("fingerprint has a NUL character, allowed is none");
    }
  }

  /**
   * Without a fingerprint.
   *
   * @throws IllegalArgumentException if a text is empty or too long, or a time is negative
   */
  public MessageOptions(String id, String key, long notBeforeMs, long expiresAtMs) {
    this(id, key, notBeforeMs, expiresAtMs, null);
  }

  private static void text(String option, String value, int maxChars) {
    if (value != null && (value.isEmpty() || value.length() > maxChars)) {
      throw new IllegalArgumentException(
          option + " has " + value.length() + " characters, allowed is 1 to " + maxChars);
    }
    if (value != null) {
      Checks.encodable(option, value);
    }
  }

  /** A copy with another id. */
  public MessageOptions withId(String newId) {
    return new MessageOptions(newId, key, notBeforeMs, expiresAtMs, fingerprint);
  }

  /** A copy with another key. */
  public MessageOptions withKey(String newKey) {
    return new MessageOptions(id, newKey, notBeforeMs, expiresAtMs, fingerprint);
  }

  /** A copy with another earliest time of delivery, ms since 1970. */
  public MessageOptions withNotBeforeMs(long newNotBeforeMs) {
    return new MessageOptions(id, key, newNotBeforeMs, expiresAtMs, fingerprint);
  }

  /** A copy with another expiry, ms since 1970. */
  public MessageOptions withExpiresAtMs(long newExpiresAtMs) {
    return new MessageOptions(id, key, notBeforeMs, newExpiresAtMs, fingerprint);
  }

  /** A copy with another fingerprint, null for none. */
  public MessageOptions withFingerprint(String newFingerprint) {
    return new MessageOptions(id, key, notBeforeMs, expiresAtMs, newFingerprint);
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
