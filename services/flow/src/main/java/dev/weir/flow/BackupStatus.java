package dev.weir.flow;

import java.nio.file.Path;

/**
 * How far a backup has come.
 *
 * @param target the directory that it makes
 * @param doneBytes bytes copied so far
 * @param totalBytes bytes to copy; 0 while that is not known
 * @param running false when it has ended
 * @param failure why it failed; null if it did not
 */
public record BackupStatus(
    Path target, long doneBytes, long totalBytes, boolean running, String failure) {}
