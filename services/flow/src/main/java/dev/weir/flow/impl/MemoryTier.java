package dev.weir.flow.impl;

import dev.weir.flow.pool.Pool;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * The messages of one service that wait in memory, oldest first. The {@link Pool} counts them. Used
 * on the service's event loop.
 */
final class MemoryTier {
  private final Pool pool;
  private final ArrayDeque<Work.Direct> waiting = new ArrayDeque<>();

  MemoryTier(Pool pool) {
    this.pool = pool;
  }

  /** Adds a message that the pool has counted already. */
  void add(Work.Direct work) {
    waiting.add(work);
  }

  /** The size of the oldest message; 0 if there is none. */
  long headBytes() {
    Work.Direct head = waiting.peek();
    return head == null ? 0 : head.bytes;
  }

  /** Takes the oldest message, which the pool does not count any more. */
  Work.Direct take() {
    return waiting.poll();
  }

  /**
   * Drops the oldest messages until a message of this size fits.
   *
   * @return false if it does not fit even so; nothing is dropped for one that fits into no tier, or
   *     for which other services leave no room
   */
  boolean dropOldest(long bytes, Consumer<Work.Direct> dropped) {
    while (pool.mayFit(bytes) && !waiting.isEmpty() && !pool.fits(bytes)) {
      drop(dropped);
    }
    return pool.fits(bytes);
  }

  /** Drops all messages. */
  void dropAll(Consumer<Work.Direct> dropped) {
    while (!waiting.isEmpty()) {
      drop(dropped);
    }
  }

  private void drop(Consumer<Work.Direct> dropped) {
    Work.Direct oldest = waiting.poll();
    pool.dropped(oldest.bytes);
    dropped.accept(oldest);
  }
}
