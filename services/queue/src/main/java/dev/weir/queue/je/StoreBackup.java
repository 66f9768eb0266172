package dev.weir.queue.je;

import static dev.weir.queue.QueueException.Reason.DIRECTORY_UNUSABLE;
import static dev.weir.queue.QueueException.Reason.STORE_FAILED;

import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.Environment;
import com.sleepycat.je.util.DbBackup;
import dev.weir.queue.QueueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/**
 * Copies the log files of an environment in use. JE starts a new log file, so that the earlier ones
 * do not change, and deletes none of them until the copy ends. The copy gets its final name when it
 * is complete and on the disk, so a directory of that name is a complete backup.
 */
public final class StoreBackup {
  private static final String PARTIAL = ".partial";

  private StoreBackup() {}

  /** Returns the bytes copied. */
  public static long copy(JeFiles files, Path from, Path to) {
    Path target = to.toAbsolutePath().normalize();
    Path partial = target.resolveSibling(target.getFileName() + PARTIAL);
    try {
      refuseUsed(target);
      SalvageFiles.deleteAll(partial);
      Files.createDirectories(partial);
      long bytes = copyLogs(files, from, partial);
      StoreDirectory.writeFormat(partial);
      StoreDirectory.force(partial.resolve(StoreDirectory.FORMAT_FILE));
      StoreDirectory.force(partial);
      Files.deleteIfExists(target);
      Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
      StoreDirectory.force(target.getParent());
      return bytes;
    } catch (IOException e) {
      throw new QueueException(
          DIRECTORY_UNUSABLE,
          "backup to " + to + " failed: " + e.getClass().getSimpleName() + " " + e.getMessage(),
          e);
    }
  }

  private static void refuseUsed(Path target) throws IOException {
    if (!Files.exists(target)) {
      return;
    }
    boolean empty = false;
    if (Files.isDirectory(target)) {
      try (Stream<Path> inside = Files.list(target)) {
        empty = inside.findAny().isEmpty();
      }
    }
    if (!empty) {
      throw new QueueException(
          DIRECTORY_UNUSABLE,
          "backup to " + target + " is refused: allowed is a new or an empty directory");
    }
  }

  private static long copyLogs(JeFiles files, Path from, Path to) throws IOException {
    Environment environment = files.current();
    DbBackup backup;
    files.beginUse();
    try {
      backup = new DbBackup(environment);
      backup.startBackup();
    } catch (DatabaseException | IllegalStateException e) {
      throw failed(to, e);
    } finally {
      files.endUse();
    }
    long bytes = 0;
    try {
      for (String name : backup.getLogFilesInBackupSet()) {
        Path copy = to.resolve(name);
        Files.copy(from.resolve(name), copy);
        StoreDirectory.force(copy);
        bytes += Files.size(copy);
      }
      return bytes;
    } finally {
      end(files, backup, environment, to);
    }
  }

  private static void end(JeFiles files, DbBackup backup, Environment environment, Path to) {
    files.beginUse();
    try {
      if (files.current() != environment) {
        throw new QueueException(
            STORE_FAILED, "backup to " + to + " failed: the store had to be reopened meanwhile");
      }
      backup.endBackup();
    } catch (DatabaseException | IllegalStateException e) {
      throw failed(to, e);
    } finally {
      files.endUse();
    }
  }

  private static QueueException failed(Path to, RuntimeException cause) {
    return new QueueException(
        STORE_FAILED, "backup to " + to + " failed: " + JeFiles.firstLine(cause), cause);
  }
}
