package dev.weir.queue.offline;

import dev.weir.queue.LogFault;
import dev.weir.queue.je.LogFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Where JE opens a log read-only whose end is damaged. It ends the log before the damage and does
 * not touch the file, but then, if the log is one file with the number 0, checks all of that file
 * and fails. For such a log it is a copy that is cut off already.
 */
final class CutLog implements AutoCloseable {
  private final Path directory;
  private final boolean isCopy;

  private CutLog(Path directory, boolean isCopy) {
    this.directory = directory;
    this.isCopy = isCopy;
  }

  static CutLog of(Path directory) throws IOException {
    List<Path> files = LogFiles.of(directory);
    if (files.isEmpty() || !files.get(0).equals(LogScan.last(files)) || !isFirst(files.get(0))) {
      return new CutLog(directory, false);
    }
    for (LogFault fault : LogScan.of(directory, (entry, item, cutOff) -> {}).faults()) {
      if (fault.endOfLog()) {
        return new CutLog(copy(files.get(0), fault.offset()), true);
      }
    }
    return new CutLog(directory, false);
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
