package dev.weir.queue;

import dev.weir.queue.QueueException.Reason;
import java.nio.file.Path;

/**
 * What a store that is in use takes of its disk at one moment.
 *
 * @param directory its data directory
 * @param logFiles number of its log files
 * @param logBytes their size, what is not yet cleaned included
 * @param usableBytes free space of the file system
 * @param minFreeBytes free space below which nothing is appended
 * @param fault why nothing can be appended, or null
 */
public record StoreStats(
    Path directory,
    long logFiles,
    long logBytes,
    long usableBytes,
    long minFreeBytes,
    Reason fault) {}
