package dev.weir.queue;

import java.util.List;
import java.util.Optional;

/**
 * The messages of a queue that were given up. They are on disk until they are requeued, purged, or
 * removed by {@link DeadLetterOptions}. Every method but the first two blocks until its work is
 * committed, and is not to be called on an event loop; each fails with a {@link QueueException}:
 * {@code CLOSED}, {@code DISK_FULL} or {@code STORE_FAILED}.
 *
 * @param <T> the message type
 */
public interface DeadLetters<T> {
  /** {@value} dead letters are listed at once at most. */
  int MAX_LIST = 1000;

  /** How many there are; does not block. */
  long count();

  /** Their size as the retention counts it; does not block. */
  long bytes();

  /**
   * Lists dead letters, oldest first. One whose record is damaged is left out, and logged.
   *
   * @param fromNumber the smallest {@linkplain DeadLetter#number() number} to list
   * @param max how many at most, 1 to {@value #MAX_LIST}
   */
  List<DeadLetter<T>> list(long fromNumber, int max);

  /** Reads one; empty if there is none of this number, or its record is damaged. */
  Optional<DeadLetter<T>> read(long number);

  /**
   * Puts one back into the queue, in front of what waits, with all its attempts before it. It keeps
   * its sequence.
   *
   * @return false if there is none of this number, or its record is damaged
   */
  boolean requeue(long number);

  /** Puts all back into the queue, oldest first; returns how many. */
  long requeueAll();

  /** Removes one for good; false if there is none of this number. */
  boolean purge(long number);

  /** Removes all for good; returns how many. */
  long purgeAll();
}
