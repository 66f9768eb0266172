package dev.weir.queue;

import java.util.ArrayDeque;

/**
 * The messages of one key: one is out, the others wait, first those in memory, then those on disk.
 *
 * @param <T> the message type
 */
final class Lane<T> {
  final long id;

  /** In memory, in order. */
  final ArrayDeque<Delivery<T>> window = new ArrayDeque<>();

  /** One of it is being handled, or waits to be tried again. */
  boolean closed;

  /** Committed in the side table and not in memory. */
  long onDisk;

  /** On the way to the side table. */
  long pending;

  /** Place of the last record read. */
  long loadedNumber;

  /** In a list of lanes that can go on. */
  boolean listed;

  Lane(long id) {
    this.id = id;
  }

  boolean isSpilling() {
    return onDisk + pending > 0;
  }

  boolean isEmpty() {
    return window.isEmpty() && !isSpilling();
  }
}
