package dev.weir.queue;

import java.util.concurrent.CompletableFuture;

/**
 * A first-in first-out queue on disk with one consumer. Appends come from any thread; {@link
 * #poll()} is called by one thread at a time. No method blocks or touches a file: the store's
 * threads do that.
 *
 * <p>Guarantees: messages are delivered in the order of their appends, except that those whose time
 * has not come are overtaken, see {@link DeliveryOrder}; a message whose append completed with
 * {@link Durability#PROCESS} or {@link Durability#MACHINE} is delivered at least once until it is
 * acknowledged, over any number of restarts; a message is never delivered changed.
 *
 * @param <T> the message type
 */
public interface DurableQueue<T> extends AutoCloseable {

  /** What {@link #offer} did. */
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
   * Adds a message without asking for durability ({@link Durability#NONE}): memory stays bounded
   * because waiting messages are written to disk, those that are consumed before their turn to be
   * written are not.
   *
   * @param message not null; must not be changed any more
   * @param attachment kept on the heap until delivery, or null
   * @param keep false when the message is of no use after a restart, as a request is whose
   *     requester is gone; it is then thrown away, and counted, when the queue is opened again
   */
  default Admission offer(T message, Object attachment, boolean keep) {
    return offer(message, MessageOptions.NONE, attachment, keep);
  }

  /**
   * The same with a key, a delay or an expiry; an id is not allowed.
   *
   * @param options not null
   */
  Admission offer(T message, MessageOptions options, Object attachment, boolean keep);

  /** Adds a message without an id, key, delay or expiry of its own. */
  default void append(T message, Durability durability, Completion completion) {
    append(message, MessageOptions.NONE, durability, completion);
  }

  /**
   * Adds a message.
   *
   * @param message not null; must not be changed any more
   * @param options not null; a message whose id is {@linkplain QueueOptions#setDedupMaxIds
   *     remembered} is not added again, and its append completes with the first one
   * @param durability with {@code NONE} the completion is told as soon as the message is accepted,
   *     and the message may be lost in a crash
   * @param completion told when the message is as durable as asked, or why it was not accepted
   */
  void append(T message, MessageOptions options, Durability durability, Completion completion);

  /**
   * Takes the next message.
   *
   * @return null when none is in memory: none waits, or the next must be read or committed first;
   *     the listener of {@link #onReadable} is called once there is one; it is also called when one
   *     comes after the last was taken
   */
  Delivery<T> poll();

  /** Ends a delivery: the message will not be delivered again. Twice is the same as once. */
  void acknowledge(Delivery<T> delivery);

  /**
   * Ends a delivery without a verdict: the message is kept, and delivered again when the queue is
   * next opened. After {@link #acknowledge} it does nothing.
   */
  void release(Delivery<T> delivery);

  /**
   * Ends a delivery whose handling failed: the message is delivered again after a {@linkplain
   * RetryOptions back-off}, until its attempts are used up and it becomes a {@linkplain
   * #deadLetters() dead letter}. One that was offered as being of no use after a restart is not
   * tried again. On an ended delivery it does nothing.
   *
   * @param reason why, for people; null for none; cut after 2,000 characters
   */
  void fail(Delivery<T> delivery, String reason);

  /** The same, but without another attempt. */
  void reject(Delivery<T> delivery, String reason);

  /** The messages that were given up. */
  DeadLetters<T> deadLetters();

  /**
   * Throws away all messages that wait now, those that wait for their time included; not those that
   * are being handled, nor dead letters.
   *
   * @return completes with their number when they are gone from disk, on a thread of the store;
   *     fails with a {@link QueueException}
   */
  CompletableFuture<Long> purge();

  /**
   * Sets who is told, on a thread of the store, that {@link #poll()} has something after it
   * returned null. The listener must not block.
   *
   * @param listener not null
   */
  void onReadable(Runnable listener);

  /**
   * Messages that no consumer has taken, without those that wait for their time; exact after the
   * calls of the same thread.
   */
  long waiting();

  QueueStats stats();

  /**
   * Writes what waits in memory and is to be kept, and closes the queue. Blocks until that is done;
   * not to be called on an event loop. Parked and unfinished appends fail with {@code CLOSED}.
   */
  @Override
  void close();
}
