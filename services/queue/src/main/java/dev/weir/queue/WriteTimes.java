package dev.weir.queue;

/**
 * When what waits in a queue was written, ms since 1970.
 *
 * @param oldestMs of the first message
 * @param newestMs of the last message
 */
public record WriteTimes(long oldestMs, long newestMs) {}
