package dev.weir.queue;

import java.util.Arrays;
import java.util.List;

/**
 * A message stored in a closed directory. A property that does not apply or is not known is null.
 *
 * @param queue name of its queue
 * @param state whether it waits for its turn or its time, or is dead
 * @param sequence place in the queue; unique in the queue
 * @param deliveries how often it was delivered; counted up to 127
 * @param isTransient true for a request whose requester is gone, because the store was closed: the
 *     message is discarded, and counted, when the queue is opened
 * @param writtenAtMs when it was written, ms since 1970; null if the message was scheduled, blocked
 *     or dead
 * @param body the bytes that its serde wrote; not copied
 * @param id message id, or null
 * @param key message key, or null
 * @param expiresAtMs ms since 1970, or null
 * @param notBeforeMs earliest time of the next delivery, ms since 1970; or null
 * @param attempts failed attempts, or null if there was none
 * @param firstAttemptAtMs when the first failed attempt ended, ms since 1970; or null
 * @param lastAttemptAtMs when the last failed attempt ended, ms since 1970; or null
 * @param reason why the last attempt failed or why it is dead, or null
 * @param diedAtMs when it became a dead letter, ms since 1970; or null
 * @param lane number of the key whose later messages wait for this one, or 0
 */
public record StoredMessage(
    String queue,
    State state,
    long sequence,
    int deliveries,
    boolean isTransient,
    Long writtenAtMs,
    byte[] body,
    String id,
    String key,
    Long expiresAtMs,
    Long notBeforeMs,
    Integer attempts,
    Long firstAttemptAtMs,
    Long lastAttemptAtMs,
    String reason,
    Long diedAtMs,
    long lane) {

  /** The state of a message; names are stable. */
  public enum State {
    /** It waits for its turn. */
    WAITING,
    /** It waits for the time of its first delivery or its next attempt. */
    SCHEDULED,
    /** It is a dead letter: it is not delivered. */
    DEAD
  }

  /**
   * The options to append the message with, or null if it has none.
   *
   * @throws IllegalArgumentException if a queue would not take it
   */
  public MessageOptions options() {
    MessageOptions options = new MessageOptions(id, key, orZero(notBeforeMs), orZero(expiresAtMs));
    return options.isNone() ? null : options;
  }

  private static long orZero(Long timeMs) {
    return timeMs == null ? 0 : timeMs;
  }

  /** The body is left out: it may be long or binary. */
  @Override
  public String toString() {
    return state + " " + queue + "/" + sequence + ", " + body.length + " bytes";
  }

  /** Bodies are compared by content. */
  @Override
  public boolean equals(Object other) {
    return other instanceof StoredMessage message
        && withoutBody().equals(message.withoutBody())
        && Arrays.equals(body, message.body);
  }

  @Override
  public int hashCode() {
    return 31 * withoutBody().hashCode() + Arrays.hashCode(body);
  }

  private List<Object> withoutBody() {
    return Arrays.asList(
        queue,
        state,
        sequence,
        deliveries,
        isTransient,
        writtenAtMs,
        id,
        key,
        expiresAtMs,
        notBeforeMs,
        attempts,
        firstAttemptAtMs,
        lastAttemptAtMs,
        reason,
        diedAtMs,
        lane);
  }
}
