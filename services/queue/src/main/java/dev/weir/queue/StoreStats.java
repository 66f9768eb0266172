package dev.weir.queue;

import dev.weir.queue.QueueException.Reason;
import java.nio.file.Path;

/**
 * The disk usage of an open store at one moment. While its directory cannot be listed the files are
 * those that were found last.
 *
 * @param directory its data directory
 * @param logFiles number of its log files and segment files
 * @param logBytes size of these files; includes deleted records that are not cleaned yet
 * @param usableBytes free space of the file system
 * @param minFreeBytes free space below which the store refuses appends
 * @param fault reason why the store refuses appends, or null
 */
public record StoreStats(
    Path directory,
    long logFiles,
    long logBytes,
    long usableBytes,
    long minFreeBytes,
    Reason fault) {}
