package dev.weir.queue.je;

import static dev.weir.queue.QueueException.Reason.DISK_FULL;

import com.sleepycat.je.DatabaseException;
import dev.weir.queue.LogFault;
import dev.weir.queue.QueueException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The directory in which JE can open a log read-only: that of the log itself, or in the system's
 * directory for temporary files a copy. JE ends a log before the first fault of its last file. If
 * that fault is {@linkplain LogMark#isDamage damage}, the copy is {@linkplain LogRebuild made of
 * what the log shows}. If that file is the only one and has the number 0 JE fails at any fault;
 * then the copy has the file without its damaged end.
 */
final class ReadableLog implements AutoCloseable {
  private final Path directory;
  private final boolean isCopy;
  private final boolean isRebuilt;
  private final LogFault endFault;

  private ReadableLog(Path directory, boolean isCopy, boolean isRebuilt, LogFault endFault) {
    this.directory = directory;
    this.isCopy = isCopy;
    this.isRebuilt = isRebuilt;
    this.endFault = endFault;
  }

  static ReadableLog of(Path directory) throws IOException {
    LogFault fault = LogScan.endFault(directory);
    if (fault != null && LogMark.isDamage(directory, fault)) {
      return rebuilt(directory, fault);
    }
    boolean isOnly = fault != null && fault.file().equals(LogFiles.name(0));
    return isOnly
        ? new ReadableLog(copy(directory.resolve(fault.file()), fault.offset()), true, false, fault)
        : new ReadableLog(directory, false, false, fault);
  }

  /**
   * Makes a copy of the records that a log shows.
   *
   * @param endFault the first fault of the last file, or null
   * @throws QueueException {@code DISK_FULL} if there is no room for the copy
   */
  static ReadableLog rebuilt(Path directory, LogFault endFault) throws IOException {
    ReadableLog copy =
        new ReadableLog(Files.createTempDirectory("weir-queue"), true, true, endFault);
    try {
      LogRebuild.make(directory, copy.directory, JeConfig.copy());
      return copy;
    } catch (IOException | DatabaseException e) {
      long room = copy.directory.toFile().getUsableSpace();
      copy.close();
      throw new QueueException(
          DISK_FULL,
          "the log in "
              + directory
              + " is damaged, and "
              + copy.directory.getParent()
              + ", which has "
              + room
              + " bytes free, cannot take a copy of what can be read of it ("
              + JeFiles.firstLine(e)
              + "): name another directory with -Djava.io.tmpdir=DIR",
          e);
    }
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

  /** Whether the places of records are others than in the log itself. */
  boolean isRebuilt() {
    return isRebuilt;
  }

  /** The first fault of the last file, or null. */
  LogFault endFault() {
    return endFault;
  }

  @Override
  public void close() {
    if (isCopy) {
      try {
        SalvageFiles.deleteAll(directory);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
