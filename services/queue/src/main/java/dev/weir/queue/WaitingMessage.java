package dev.weir.queue;

/**
 * A message that waits in an open queue, as {@link WaitingMessages} show it.
 *
 * @param sequence of the message in its queue, see {@link Delivery#sequence}
 * @param state what the message waits for
 * @param message null if the serde cannot read it
 * @param sizeBytes size of the body
 * @param options the options given with the message when it was added, not null
 * @param isTransient true if the message is of no use after a restart, see {@link
 *     DurableQueue#offer}
 * @param deliveries number of deliveries so far, at most {@value Delivery#MAX_COUNT}
 * @param failures number of failed attempts so far
 * @param reason why the last attempt failed, in the words of the consumer; empty if none did
 * @param writtenAtMs when the message was written to disk, ms since 1970; 0 if it was not written
 *     yet, and for a message that is scheduled, failed, or waits for others of its key
 * @param dueAtMs when a scheduled message is delivered, ms since 1970; 0 for others
 * @param <T> the message type
 */
public record WaitingMessage<T>(
    long sequence,
    State state,
    T message,
    int sizeBytes,
    MessageOptions options,
    boolean isTransient,
    int deliveries,
    int failures,
    String reason,
    long writtenAtMs,
    long dueAtMs) {

  /** What a message waits for; names are stable. */
  public enum State {
    /** Its turn. */
    WAITING,
    /** Other messages of its key, see {@link DeliveryOrder}. */
    BLOCKED,
    /** The time of its first delivery or of its next attempt. */
    SCHEDULED
  }
}
