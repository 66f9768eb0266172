package dev.weir.queue;

/**
 * A first-in first-out queue on disk with one consumer. Appends come from any thread; {@link
 * #poll()} is called by one thread at a time. No method blocks or touches a file: the store's
 * threads do that.
 *
 * <p>Guarantees: messages are delivered in the order of their appends; a message whose append
 * completed with {@link Durability#PROCESS} or {@link Durability#MACHINE} is delivered at least
 * once until it is acknowledged, over any number of restarts; a message is never delivered changed.
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
  Admission offer(T message, Object attachment, boolean keep);

  /**
   * Adds a message that must not be lost.
   *
   * @param message not null; must not be changed any more
   * @param durability {@code PROCESS} or {@code MACHINE}
   * @param completion told when the message is durable, or why it was not accepted
   */
  void append(T message, Durability durability, Completion completion);

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
   * Ends a delivery without success: the message is kept, and delivered again when the queue is
   * next opened. After {@link #acknowledge} it does nothing.
   */
  void release(Delivery<T> delivery);

  /**
   * Sets who is told, on a thread of the store, that {@link #poll()} has something after it
   * returned null. The listener must not block.
   *
   * @param listener not null
   */
  void onReadable(Runnable listener);

  /** Messages that no consumer has taken; exact after the calls of the same thread. */
  long waiting();

  QueueStats stats();

  /**
   * Writes what waits in memory and is to be kept, and closes the queue. Blocks until that is done;
   * not to be called on an event loop. Parked and unfinished appends fail with {@code CLOSED}.
   */
  @Override
  void close();
}
