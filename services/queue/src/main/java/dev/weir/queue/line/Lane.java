package dev.weir.queue.line;

import java.util.ArrayDeque;

/**
 * The messages of one key: one is out, the others wait, first those in memory, then those on disk.
 *
 * @param <T> the message type
 */
final class Lane<T> {
  final long id;

  /** In memory, in order. */
  final ArrayDeque<TakenMessage<T>> window = new ArrayDeque<>();

  /** One of it is being handled, or waits to be tried again. */
  boolean closed;

  /** Committed in the side table and not in memory. */
  long onDisk;

  /** On the way to the side table. */
  long pending;

  /** Of those that were read from the side table, the ones that have not left it. */
  long loaded;

  /** The first that was on disk when the queue was opened; those before it come first. */
  long firstSequence;

  /** Place of the last record read. */
  long loadedNumber;

  /** In a list of lanes that can go on. */
  boolean listed;

  Lane(long id) {
    this.id = id;
  }

  /**
   * What comes next has to go to the side table too. Otherwise it would be in its packet between
   * messages of the table, and a restart would not know where.
   */
  boolean isSpilling() {
    return onDisk + pending + loaded > 0;
  }

  boolean isEmpty() {
    return window.isEmpty() && onDisk + pending == 0;
  }
}
