/**
 * Reading, checking and filling a directory that no store has open. Used by {@link
 * dev.weir.queue.QueueDirectory}, {@link dev.weir.queue.QueueMaintenance} and {@link
 * dev.weir.queue.QueueVerifier} only.
 */
package dev.weir.queue.offline;
