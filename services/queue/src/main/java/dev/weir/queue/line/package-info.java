/**
 * The order of a queue's messages and the bookkeeping for it: packets, delays, key order, retries,
 * dead letters, ids and limits. Pure logic without threads, locks or files; a queue's lock guards
 * it. Used by the packages {@code store}, {@code je} and {@code offline}, and by no user.
 */
package dev.weir.queue.line;
