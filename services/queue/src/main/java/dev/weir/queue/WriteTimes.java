package dev.weir.queue;

/**
 * When the waiting messages of a queue were written.
 *
 * @param oldestMs time of the oldest message, ms since 1970
 * @param newestMs time of the newest message, ms since 1970
 */
public record WriteTimes(long oldestMs, long newestMs) {}
