package dev.weir.queue;

/**
 * A message that {@link DurableQueue#poll} has handed to a consumer. The message stays on disk
 * until the consumer ends the delivery; a restart before that delivers the message again.
 *
 * <p>Only a queue makes deliveries. A delivery may be ended once, by the queue that made it; a
 * second end has no effect.
 *
 * @param <T> the message type
 */
public interface Delivery<T> {
  /** Highest value of {@link #deliveryCount}: further deliveries are not counted. */
  int MAX_COUNT = 127;

  /** The message, never null. */
  T message();

  /**
   * The object given to {@link DurableQueue#offer} with the message, or null. Attachments are not
   * written to disk, so null after a restart.
   */
  Object attachment();

  /** The options given with the message when it was added, never null. */
  MessageOptions messageOptions();

  /** Position in the queue. Grows with every message and is never used twice. */
  long sequence();

  /**
   * Number of deliveries of this message so far, this one included: 1 to {@value #MAX_COUNT}. A
   * delivery that began within {@link QueueStoreOptions#setAckFlushMs ackFlushMs} before a crash
   * may not be counted. After a crash the count of each of the first messages is on disk before the
   * message is delivered, so that a message that ends the process each time is counted each time; a
   * loss of power can take these counts back.
   */
  int deliveryCount();

  /** Number of failed attempts to handle this message. */
  int failures();

  /**
   * When the message became ready for this delivery, ms since 1970: the end of its delay, of its
   * back-off, or of its time as a dead letter. 0 if it was ready from the start; also if it was
   * requeued and then waited on disk for others of its key.
   */
  long dueMs();
}
