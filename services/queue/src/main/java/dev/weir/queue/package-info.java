/**
 * A durable first-in first-out queue on Berkeley DB JE.
 *
 * <p>Start at {@link dev.weir.queue.QueueStore}, an open data directory, and {@link
 * dev.weir.queue.DurableQueue}, one queue of it. {@link dev.weir.queue.QueueDirectory}, {@link
 * dev.weir.queue.QueueMaintenance} and {@link dev.weir.queue.QueueVerifier} work on a directory
 * that no store has open. Users name classes of this package only.
 *
 * <p>The packages below this one hold the implementation, from top to bottom: {@code tool} (command
 * line), {@code offline} (closed directories), {@code store} (threads and locks of an open store),
 * {@code je} (files), {@code line} (order and bookkeeping, without threads or files).
 */
package dev.weir.queue;
