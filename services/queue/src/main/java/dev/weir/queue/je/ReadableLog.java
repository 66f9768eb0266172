package dev.weir.queue.je;

import static dev.weir.queue.QueueException.Reason.DISK_FULL;
import static dev.weir.queue.QueueException.Reason.STORE_FAILED;

import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DiskLimitException;
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
    if (fault != null && !fault.endOfLog()) {
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
   * @throws QueueException {@code DISK_FULL} if there is no room for the copy, {@code STORE_FAILED}
   *     if it cannot be made for another reason; nothing is left of it then
   */
  static ReadableLog rebuilt(Path directory, LogFault endFault) throws IOException {
    ReadableLog copy =
        new ReadableLog(Files.createTempDirectory("weir-queue"), true, true, endFault);
    boolean made = false;
    try {
      LogRebuild.make(directory, copy.directory, JeConfig.copy());
      made = true;
      return copy;
    } catch (IOException | DatabaseException e) {
      throw unmade(directory, copy.directory, e);
    } finally {
      if (!made) {
        copy.close();
      }
    }
  }

  private static QueueException unmade(Path directory, Path copy, Exception e) {
    String what = "the log in " + directory + " is damaged, and ";
    if (e instanceof DiskLimitException || FileObstacle.isFull(e)) {
      return new QueueException(
          DISK_FULL,
          what
              + copy.getParent()
              + ", which has "
              + copy.toFile().getUsableSpace()
              + " bytes free, cannot take a copy of what can be read of it ("
              + JeFiles.firstLine(e)
              + "): name another directory with -Djava.io.tmpdir=DIR",
          e);
    }
    FileObstacle obstacle = FileObstacle.of(e);
    return new QueueException(
        STORE_FAILED,
        what
            + "what can be read of it cannot be copied: "
            + (obstacle == null ? JeFiles.firstLine(e) : obstacle.text()),
        e);
  }

  private static Path copy(Path file, long bytes) throws IOException {
    Path copy = Files.createTempDirectory("weir-queue");
    boolean complete = false;
    try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(
                copy.resolve(file.getFileName()),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE)) {
      for (long at = 0; at < bytes; ) {
        at += from.transferTo(at, bytes - at, to);
      }
      complete = true;
      return copy;
    } finally {
      if (!complete) {
        SalvageFiles.deleteAll(copy);
      }
    }
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
