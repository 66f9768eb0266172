/**
 * A durable first-in first-out queue on Berkeley DB JE.
 *
 * <p>Start at {@link dev.weir.queue.QueueStore}, which is one data directory, and {@link
 * dev.weir.queue.DurableQueue}, which is what its user sees. {@code PacketLine} decides the order
 * and knows neither threads nor files; {@code JeQueue} puts a lock around it; {@code StoreWriter}
 * and {@code StoreReader} are the only threads that touch files.
 */
package dev.weir.queue;
