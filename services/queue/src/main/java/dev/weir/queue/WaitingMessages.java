package dev.weir.queue;

import java.util.List;
import java.util.Optional;

/**
 * The messages of an open queue that wait, for people who look for one and may delete it. A message
 * that is being handled, and a dead letter, is not among them.
 *
 * <p>Every method blocks, reads the disk, and must not be called on an event loop or by a listener
 * of the queue. It fails with a {@link QueueException}: {@code CLOSED}, {@code DISK_FULL} or {@code
 * STORE_FAILED}. The queue is in use meanwhile: what moves while a list is made may be missing in
 * it.
 *
 * @param <T> the message type
 */
public interface WaitingMessages<T> {
  /** Largest number of messages that one call lists: {@value}. */
  int MAX_LIST = 1000;

  /** What became of a message that was to be deleted; names are stable. */
  enum Deletion {
    /** The message is deleted from disk, and is not delivered after a restart either. */
    DELETED,
    /** No message waits under that sequence or id. */
    NOT_FOUND,
    /** Nothing was deleted: a consumer is handling the message, or ended that a moment ago. */
    IN_DELIVERY
  }

  /**
   * Lists waiting messages by sequence. A message that cannot be read from disk is left out. The
   * list ends early when it holds some megabytes: only an empty one says that there are no more.
   *
   * @param fromSequence lowest sequence to list
   * @param max largest number of messages to list, 1 to {@value #MAX_LIST}
   */
  List<WaitingMessage<T>> list(long fromSequence, int max);

  /** Reads one message; empty if no message of this sequence waits. */
  Optional<WaitingMessage<T>> read(long sequence);

  /**
   * Finds the first message with an id. Reads the waiting messages one after another, so that a
   * long queue takes long.
   *
   * @param id not null
   */
  Optional<WaitingMessage<T>> find(String id);

  /**
   * Deletes one message. The deletion is as durable as {@link DurableQueue#purge}, and is counted
   * with the purged messages.
   */
  Deletion delete(long sequence);

  /**
   * Deletes the message that {@link #find} finds.
   *
   * @param id not null
   * @return {@code NOT_FOUND} also if the message is being handled
   */
  Deletion delete(String id);
}
