package dev.weir.queue.je;

import static dev.weir.queue.QueueException.Reason.DIRECTORY_UNUSABLE;
import static dev.weir.queue.QueueException.Reason.DISK_FULL;
import static dev.weir.queue.QueueException.Reason.STORE_FAILED;

import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.Environment;
import com.sleepycat.je.util.DbBackup;
import dev.weir.queue.Progress;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.segment.SegmentDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the log files of an environment in use. JE starts a new log file, so that the earlier ones
 * do not change, and deletes none of them until the copy ends. The copy gets its final name when it
 * is complete and on the disk, so a directory of that name is a complete backup. A copy that fails
 * leaves nothing behind, and none takes the room that the store itself needs.
 */
public final class StoreBackup {
  private static final Logger LOG = LoggerFactory.getLogger(StoreBackup.class);
  private static final String PARTIAL = ".partial";
  private static final long CHUNK_BYTES = 4 << 20;

  private final Progress progress;
  private final Path from;
  private final Path target;
  private final Path partial;

  /** Bytes that must stay free beside the copy. */
  private final long reserveBytes;

  private StoreBackup(Path from, Path to, long reserveBytes, Progress progress) {
    this.progress = progress;
    this.from = from;
    this.target = to.toAbsolutePath().normalize();
    this.partial = target.resolveSibling(target.getFileName() + PARTIAL);
    this.reserveBytes = reserveBytes;
  }

  /** Copies an environment in use; returns the bytes copied. */
  public static long copy(JeFiles files, QueueStoreOptions options, Path to, Progress progress) {
    Path from = options.getDirectory();
    StoreBackup backup = new StoreBackup(from, to, reserveBytes(options, to), progress);
    return backup.make("backup", () -> backup.copyInUse(files));
  }

  /**
   * What the store keeps free, and its next log file, if the copy is on the disk of the store; the
   * log also grows while JE deletes none of it.
   */
  private static long reserveBytes(QueueStoreOptions options, Path to) {
    try {
      Path at = to.toAbsolutePath().normalize().getParent();
      while (at != null && Files.notExists(at)) {
        at = at.getParent();
      }
      boolean sameDisk =
          at == null || Files.getFileStore(at).equals(Files.getFileStore(options.getDirectory()));
      return sameDisk ? options.getMinFreeBytes() + options.getLogFileBytes() : 0;
    } catch (IOException e) {
      LOG.debug("the file system of {} is not known", to, e);
      return options.getMinFreeBytes() + options.getLogFileBytes();
    }
  }

  /**
   * Makes a data directory of a backup, which is locked meanwhile; returns the bytes copied.
   *
   * @param to a new or an empty directory
   */
  public static long restore(Path backup, Path to, Progress progress) {
    StoreDirectory lock = StoreDirectory.openExisting(backup, false);
    try {
      ReadOnlyFiles.checkLog(backup);
      StoreBackup copy = new StoreBackup(backup, to, 0, progress);
      Stream<Path> mark = Stream.of(backup.resolve(LogMark.FILE)).filter(Files::exists);
      List<Path> all = Stream.concat(LogFiles.withSegments(backup).stream(), mark).toList();
      return copy.make("restore", () -> copy.copy(all));
    } catch (IOException e) {
      throw StoreDirectory.unreadable(backup, e);
    } finally {
      lock.close();
    }
  }

  private interface Copying {
    long run() throws IOException;
  }

  private long make(String what, Copying copying) {
    boolean begun = false;
    boolean complete = false;
    try {
      refuseUsed(what);
      refuseForeign(what);
      begun = true;
      SalvageFiles.deleteAll(partial);
      Files.createDirectories(partial);
      long bytes = copying.run();
      StoreDirectory.writeFormat(
          partial,
          StoreDirectory.hasSegments(partial)
              ? StoreDirectory.FORMAT_VERSION
              : StoreDirectory.FORMAT_WITHOUT_SEGMENTS);
      StoreDirectory.force(partial.resolve(StoreDirectory.FORMAT_FILE));
      StoreDirectory.force(partial);
      Files.deleteIfExists(target);
      Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
      complete = true;
      StoreDirectory.force(target.getParent());
      return bytes;
    } catch (IOException e) {
      throw new QueueException(
          FileObstacle.isFull(e) ? DISK_FULL : DIRECTORY_UNUSABLE,
          what + " to " + target + " failed: " + DirectoryLock.describe(e),
          e);
    } finally {
      if (begun && !complete) {
        cleanUp();
      }
    }
  }

  private void cleanUp() {
    try {
      SalvageFiles.deleteAll(partial);
    } catch (IOException e) {
      LOG.debug("{} cannot be deleted and stays", partial, e);
    }
  }

  private void refuseUsed(String what) throws IOException {
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
          what + " to " + target + " is refused: allowed is a new or an empty directory");
    }
  }

  /** What a killed copy has left is deleted, and so nothing else may be there. */
  private void refuseForeign(String what) throws IOException {
    Path foreign = Files.exists(partial) ? partial : null;
    if (Files.isDirectory(partial)) {
      try (Stream<Path> inside = Files.list(partial)) {
        foreign = inside.filter(each -> !isOfCopy(each)).findAny().orElse(null);
      }
    }
    if (foreign != null) {
      throw new QueueException(
          DIRECTORY_UNUSABLE,
          what + " to " + target + " is refused: " + foreign + " is no part of a copy");
    }
  }

  private static boolean isOfCopy(Path file) {
    String name = file.getFileName().toString();
    return LogFiles.isLog(name)
        || SegmentDirectory.isSegment(name)
        || name.startsWith(StoreDirectory.FORMAT_FILE)
        || name.equals(LogMark.FILE);
  }

  private long copyInUse(JeFiles files) throws IOException {
    // A reference that the copy has finds its segment.
    files.segments().hold();
    try {
      return copyHeld(files);
    } finally {
      files.segments().release();
    }
  }

  private long copyHeld(JeFiles files) throws IOException {
    Environment environment = files.current();
    DbBackup backup;
    files.beginUse();
    try {
      backup = new DbBackup(environment);
      backup.startBackup();
    } catch (DatabaseException | IllegalStateException | UncheckedIOException e) {
      throw failed(e);
    } finally {
      files.endUse();
    }
    try {
      Stream<Path> log = Stream.of(backup.getLogFilesInBackupSet()).map(from::resolve);
      long bytes = copy(Stream.concat(log, SegmentDirectory.of(from).stream()).toList());
      // All that the log refers to was written before, and the copy is on the device. So a packet
      // that is not there is damage, and a segment without packets is of no use.
      new LogMark(partial).closed();
      return bytes;
    } finally {
      end(files, backup, environment);
    }
  }

  private long copy(List<Path> files) throws IOException {
    long left = 0;
    for (Path file : files) {
      left += Files.size(file);
    }
    long all = left;
    for (Path file : files) {
      left -= copy(file, left, all);
    }
    return all;
  }

  private long copy(Path file, long left, long all) throws IOException {
    Path copy = partial.resolve(file.getFileName());
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long at = 0;
      while (at < in.size()) {
        checkRoom(left - at);
        at += in.transferTo(at, CHUNK_BYTES, out);
        progress.bytes(all - left + at, all);
      }
      out.force(true);
      return at;
    }
  }

  private void checkRoom(long left) {
    long free = partial.toFile().getUsableSpace();
    if (free < left + reserveBytes) {
      throw new QueueException(
          DISK_FULL,
          "no room for "
              + target
              + ": "
              + left
              + " bytes are to be copied, "
              + reserveBytes
              + " must stay free for the store, and "
              + free
              + " are free");
    }
  }

  private void end(JeFiles files, DbBackup backup, Environment environment) {
    files.beginUse();
    try {
      if (files.current() != environment) {
        throw new QueueException(
            STORE_FAILED,
            "backup to " + target + " failed: the store had to be reopened meanwhile");
      }
      backup.endBackup();
    } catch (DatabaseException | IllegalStateException | UncheckedIOException e) {
      throw failed(e);
    } finally {
      files.endUse();
    }
  }

  private QueueException failed(RuntimeException cause) {
    return new QueueException(
        STORE_FAILED, "backup to " + target + " failed: " + JeFiles.firstLine(cause), cause);
  }
}
