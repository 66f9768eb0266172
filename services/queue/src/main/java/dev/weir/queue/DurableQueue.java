package dev.weir.queue;

import java.util.concurrent.CompletableFuture;

/**
 * A first-in first-out queue on disk with one consumer. Any thread may add messages; {@link
 * #poll()} is called by one thread at a time. No method blocks or touches a file except {@link
 * #close}: the store's threads do that.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>Messages are delivered in the order of their appends. Delayed messages and retries are
 *       overtaken, see {@link DeliveryOrder}.
 *   <li>A message whose append completed with {@link Durability#PROCESS} or {@link
 *       Durability#MACHINE} is delivered at least once until it is acknowledged, over any number of
 *       restarts.
 *   <li>A message is never delivered changed.
 * </ul>
 *
 * @param <T> the message type
 */
public interface DurableQueue<T> extends AutoCloseable {

  /** The result of {@link #offer}. */
  enum Admission {
    /** The message is in the queue. */
    ACCEPTED,
    /** See {@link QueueException.Reason#QUEUE_FULL}. */
    QUEUE_FULL,
    /** See {@link QueueException.Reason#BUFFER_FULL}. */
    BUFFER_FULL,
    /** See {@link QueueException.Reason#MESSAGE_TOO_LARGE}. */
    MESSAGE_TOO_LARGE,
    /** See {@link QueueException.Reason#DROPPED}. */
    DROPPED,
    /** See {@link QueueException.Reason#CLOSED}. */
    CLOSED
  }

  /** The name the queue was opened with. */
  String name();

  /**
   * Adds a message without durability ({@link Durability#NONE}). Waiting messages are written to
   * disk so that memory stays bounded; a message that is consumed before that is not written.
   *
   * @param message not null; must not be changed after the call
   * @param attachment an object kept in memory until the delivery, or null
   * @param keep false if the message is of no use after a restart, such as a request whose
   *     requester is gone then. The next opening deletes and counts it
   */
  default Admission offer(T message, Object attachment, boolean keep) {
    return offer(message, MessageOptions.NONE, attachment, keep);
  }

  /**
   * Adds a message with a key, a delay or an expiry, see {@link #offer(Object, Object, boolean)}.
   *
   * @param options not null, without an id
   */
  Admission offer(T message, MessageOptions options, Object attachment, boolean keep);

  /**
   * Adds a message without options, see {@link #append(Object, MessageOptions, Durability,
   * Completion)}.
   */
  default void append(T message, Durability durability, Completion completion) {
    append(message, MessageOptions.NONE, durability, completion);
  }

  /**
   * Adds a message.
   *
   * @param message not null; must not be changed after the call
   * @param options not null. A message whose id is {@linkplain QueueOptions#setDedupMaxIds
   *     remembered} is not added again; its append completes with the first one
   * @param durability when the append completes; with {@code NONE} as soon as the message is
   *     accepted, and a crash may lose it
   * @param completion called when the message is as durable as asked, or with the reason of a
   *     failure. A message whose append failed is not in the queue, unless another append of its id
   *     was accepted
   */
  void append(T message, MessageOptions options, Durability durability, Completion completion);

  /**
   * Takes the next message.
   *
   * @return null if no message is in memory: none waits, or the next must be read or committed
   *     first. The listener of {@link #onReadable} is called when there is a message again. It is
   *     also called when a message comes after the last one was taken
   */
  Delivery<T> poll();

  /** Ends a delivery and deletes its message. No effect on a delivery that has ended. */
  void acknowledge(Delivery<T> delivery);

  /**
   * Ends a delivery without a result. The message is kept and delivered again after the next
   * opening of the queue. No effect on a delivery that has ended.
   */
  void release(Delivery<T> delivery);

  /**
   * Ends a delivery whose handling failed. The message is delivered again after a {@linkplain
   * RetryOptions back-off}. When its attempts are used up, it becomes a {@linkplain #deadLetters()
   * dead letter}. A message that is of no use after a restart is not tried again. No effect on a
   * delivery that has ended.
   *
   * @param reason a text for people, or null; cut after 2,000 characters
   */
  void fail(Delivery<T> delivery, String reason);

  /** Ends a delivery and makes a dead letter of its message at once, see {@link #fail}. */
  void reject(Delivery<T> delivery, String reason);

  /** The dead letters of this queue. */
  DeadLetters<T> deadLetters();

  /** The messages of this queue that wait, to look at them and to delete one. */
  WaitingMessages<T> waitingMessages();

  /**
   * Deletes all messages that wait now, delayed messages and retries included. Messages in delivery
   * and dead letters stay.
   *
   * @return completes with the number of messages when they are deleted from disk, on a thread of
   *     the store; fails with a {@link QueueException}
   */
  CompletableFuture<Long> purge();

  /**
   * Delivers all messages at once that wait for a time now: delayed messages and retries, also
   * after a restart. A retry of a key still comes before the messages that wait for the key.
   * Delayed messages that wait behind others, which no {@link #poll} has come to, are released too.
   *
   * @return completes when that is on disk, on a thread of the store, with the number of messages
   *     without those behind others, which count as waiting; fails with a {@link QueueException}
   */
  CompletableFuture<Long> releaseScheduled();

  /**
   * Sets the listener that is called when {@link #poll()} has a message after it returned null, or
   * after {@link #waiting()} was 0. The listener is called on a thread of the store and must not
   * block.
   *
   * @param listener not null
   */
  void onReadable(Runnable listener);

  /**
   * Number of messages that no consumer has taken, without delayed messages and retries. Includes
   * the effect of earlier calls of the same thread.
   */
  long waiting();

  /** The figures of this queue. */
  QueueStats stats();

  /**
   * Writes the messages in memory that are to be kept, and closes the queue. Appends that wait for
   * room fail with {@code CLOSED}. Blocks until all is written; must not be called on an event
   * loop.
   */
  @Override
  void close();
}
