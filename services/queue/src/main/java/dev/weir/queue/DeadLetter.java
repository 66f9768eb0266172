package dev.weir.queue;

/**
 * A message that is not delivered any more: its attempts are used up, it was rejected, or it
 * expired.
 *
 * @param number number of the dead letter in its queue, see {@link DeadLetters}
 * @param sequence of the message in its queue
 * @param message null if the serde cannot read it
 * @param options the options given with the message when it was added, not null
 * @param reason why the message became a dead letter, in the words of the consumer; not null
 * @param deliveries number of deliveries, at most 127; 0 if the message expired before the first
 * @param failures number of failed attempts
 * @param firstAttemptMs when the first failed attempt ended, ms since 1970; 0 if none did
 * @param lastAttemptMs when the last failed attempt ended, ms since 1970; 0 if none did
 * @param diedAtMs when the message became a dead letter, ms since 1970
 * @param bytes size as {@link DeadLetterOptions} counts it
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
