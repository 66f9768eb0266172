package dev.weir.queue;

/**
 * What cleaning a directory did.
 *
 * @param bytesBefore size of the log before
 * @param bytesAfter size of the log after
 */
public record Compaction(long bytesBefore, long bytesAfter) {}
