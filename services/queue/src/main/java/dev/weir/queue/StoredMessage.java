package dev.weir.queue;

import java.util.Arrays;
import java.util.List;

/**
 * A message as it lies in a closed directory. What does not apply to it, or is not known, is null.
 *
 * @param queue name of its queue
 * @param state what it waits for
 * @param sequence its place in the queue; unique in the queue
 * @param deliveries how often it was delivered, as far as that is counted (127 at most)
 * @param ofNoUse true for a request whose requester did not outlive the store: it is thrown away,
 *     and counted, when the queue is opened
 * @param writtenAtMs when it was written, ms since 1970; null once it has left its packet
 * @param body as its serde wrote it; not copied
 * @param id message id, or null
 * @param key message key, or null
 * @param expiresAtMs ms since 1970, or null
 * @param notBeforeMs earliest delivery, for the first time or again, ms since 1970; or null
 * @param attempts failed attempts, or null if there was none
 * @param firstAttemptAtMs when the first failed attempt ended, ms since 1970; or null
 * @param lastAttemptAtMs when the last failed attempt ended, ms since 1970; or null
 * @param reason why the last attempt failed or why it is dead, or null
 * @param diedAtMs when it became a dead letter, ms since 1970; or null
 * @param lane what keeps messages in order while it waits to be tried again, 0 for nothing
 */
public record StoredMessage(
    String queue,
    State state,
    long sequence,
    int deliveries,
    boolean ofNoUse,
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

  /** What a message waits for; names are stable. */
  public enum State {
    /** Its turn. */
    WAITING,
    /** Its time, for the first delivery or the next attempt. */
    SCHEDULED,
    /** Somebody to look at it: it is delivered no more. */
    DEAD
  }

  /**
   * What the queue is told with it.
   *
   * @throws IllegalArgumentException if a queue would not take it
   */
  public MessageOptions options() {
    MessageOptions its = new MessageOptions(id, key, orZero(notBeforeMs), orZero(expiresAtMs));
    return its.isNone() ? null : its;
  }

  private static long orZero(Long timeMs) {
    return timeMs == null ? 0 : timeMs;
  }

  /** Without the body, which may be anything. */
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
        ofNoUse,
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
