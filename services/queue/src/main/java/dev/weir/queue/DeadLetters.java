package dev.weir.queue;

import java.util.List;
import java.util.Optional;

/**
 * The dead letters of a queue: messages that are not delivered any more. They stay on disk until
 * they are requeued, purged, or deleted by {@link DeadLetterOptions}.
 *
 * <p>{@link #count} and {@link #bytes} do not block. Every other method blocks until its work is
 * committed, and must not be called on an event loop. It fails with a {@link QueueException}:
 * {@code CLOSED}, {@code DISK_FULL} or {@code STORE_FAILED}.
 *
 * @param <T> the message type
 */
public interface DeadLetters<T> {
  /** Largest number of dead letters that one call lists: {@value}. */
  int MAX_LIST = 1000;

  /** Number of dead letters. */
  long count();

  /** Size of all dead letters in bytes, as {@link DeadLetterOptions} counts it. */
  long bytes();

  /**
   * Lists dead letters, oldest first. A damaged dead letter is left out and logged. The list ends
   * early when it holds some megabytes: only an empty one says that there are no more.
   *
   * @param fromNumber lowest {@linkplain DeadLetter#number() number} to list
   * @param max largest number of dead letters to list, 1 to {@value #MAX_LIST}
   */
  List<DeadLetter<T>> list(long fromNumber, int max);

  /** Reads one dead letter; empty if no dead letter has this number, or if it is damaged. */
  Optional<DeadLetter<T>> read(long number);

  /**
   * Puts one dead letter back into the queue, in front of the waiting messages. The message keeps
   * its sequence and starts with no failed attempts.
   *
   * @return false if no dead letter has this number, or if it is damaged
   */
  boolean requeue(long number);

  /** Puts all dead letters back into the queue, oldest first; returns their number. */
  long requeueAll();

  /** Deletes one dead letter; false if no dead letter has this number. */
  boolean purge(long number);

  /** Deletes all dead letters; returns their number. */
  long purgeAll();
}
