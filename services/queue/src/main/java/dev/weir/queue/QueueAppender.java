package dev.weir.queue;

/**
 * Adds messages to a queue of a directory that no store has open, see {@link
 * QueueMaintenance#appender}. A crash may lose the messages added since the last {@link #commit()}.
 * One thread.
 */
public interface QueueAppender {

  /**
   * Adds a message after those that the queue holds. Its queue, sequence and time of writing are
   * not used; it gets new ones. Its id is kept but not remembered for de-duplication.
   *
   * @param message not null, and not {@linkplain StoredMessage#isTransient transient}
   * @throws IllegalArgumentException if a queue cannot hold the message
   * @throws QueueException {@code DISK_FULL} or {@code STORE_FAILED}
   */
  void add(StoredMessage message);

  /**
   * Forces all messages that were added to the device. Blocks for that long.
   *
   * @throws QueueException {@code DISK_FULL} or {@code STORE_FAILED}
   */
  void commit();
}
