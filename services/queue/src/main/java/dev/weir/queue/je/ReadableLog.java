package dev.weir.queue.je;

import dev.weir.queue.LogFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The directory in which JE can open a log read-only. If the last file is damaged JE ends the log
 * before the damage and leaves the file as it is. If that file is the only one and has the number 0
 * JE fails instead; then this is a copy of the file without its damaged end.
 */
final class ReadableLog implements AutoCloseable {
  private final Path directory;
  private final boolean isCopy;

  private ReadableLog(Path directory, boolean isCopy) {
    this.directory = directory;
    this.isCopy = isCopy;
  }

  static ReadableLog of(Path directory) throws IOException {
    List<Path> files = LogFiles.of(directory);
    if (files.isEmpty() || !files.get(0).equals(LogScan.last(files)) || !isFirst(files.get(0))) {
      return new ReadableLog(directory, false);
    }
    for (LogFault fault : LogScan.of(directory, LogScan.Visitor.NONE).faults()) {
      if (fault.endOfLog()) {
        return new ReadableLog(copy(files.get(0), fault.offset()), true);
      }
    }
    return new ReadableLog(directory, false);
  }

  private static boolean isFirst(Path file) {
    return LogFiles.number(file) == 0;
  }

  private static Path copy(Path file, long bytes) throws IOException {
    Path copy = Files.createTempDirectory("weir-queue");
    try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(
                copy.resolve(file.getFileName()),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE)) {
      for (long at = 0; at < bytes; ) {
        at += from.transferTo(at, bytes - at, to);
      }
    }
    return copy;
  }

  Path directory() {
    return directory;
  }

  @Override
  public void close() {
    if (!isCopy) {
      return;
    }
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
