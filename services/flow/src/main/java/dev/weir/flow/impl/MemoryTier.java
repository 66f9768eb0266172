package dev.weir.flow.impl;

import dev.weir.flow.ServiceOptions;
import dev.weir.flow.pool.Pool;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * The messages of one service that wait in memory, oldest first. The {@link Pool} counts them. Used
 * on the service's event loop.
 */
final class MemoryTier {
  private final int maxMessages;
  private final long maxBytes;
  private final Pool pool;
  private final ArrayDeque<Work.Direct> waiting = new ArrayDeque<>();

  MemoryTier(ServiceOptions options, Pool pool) {
    this.maxMessages = options.getMemoryMessages();
    this.maxBytes = options.getMemoryBytes();
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
   * @return false if nothing was dropped, or the message fits into no tier of this size
   */
  boolean dropOldest(long bytes, Consumer<Work.Direct> dropped) {
    if (bytes > maxBytes || waiting.isEmpty()) {
      return false;
    }
    while (!waiting.isEmpty()
        && (pool.memoryMessages() >= maxMessages || pool.memoryBytes() + bytes > maxBytes)) {
      drop(dropped);
    }
    return true;
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
