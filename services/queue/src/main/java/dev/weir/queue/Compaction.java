package dev.weir.queue;

/**
 * The result of compacting a directory.
 *
 * @param bytesBefore size of the log before, in bytes
 * @param bytesAfter size of the log after, in bytes
 */
public record Compaction(long bytesBefore, long bytesAfter) {}
