/**
 * An open store: its writer and reader thread, and the locks around the state of its queues. Used
 * by {@link dev.weir.queue.QueueStore} only.
 */
package dev.weir.queue.store;
