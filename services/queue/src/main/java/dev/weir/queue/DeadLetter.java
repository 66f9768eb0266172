package dev.weir.queue;

/**
 * A message that was given up: its attempts are used up, it was rejected, or it expired.
 *
 * @param number its place among the dead letters; names it in {@link DeadLetters}
 * @param sequence of the message in its queue
 * @param message null if its serde cannot read it
 * @param options what the message was given when it was added, not null
 * @param reason why it was given up, as the consumer put it; not null
 * @param deliveries how often it was delivered, 1 to 127, then 127; 0 if it expired before
 * @param failures how many attempts failed
 * @param firstAttemptMs when the first failed attempt ended, ms since 1970; 0 if none did
 * @param lastAttemptMs when the last failed attempt ended, ms since 1970; 0 if none did
 * @param diedAtMs when it was given up, ms since 1970
 * @param bytes size as the retention counts it
 * @param <T> the message type
 */
public record DeadLetter<T>(
    long number,
    long sequence,
    T message,
    MessageOptions options,
    String reason,
    int deliveries,
    int failures,
    long firstAttemptMs,
    long lastAttemptMs,
    long diedAtMs,
    int bytes) {}
