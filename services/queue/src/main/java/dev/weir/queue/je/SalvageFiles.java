package dev.weir.queue.je;

import dev.weir.queue.LogFault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the log files of a directory by a copy and keeps the damaged ones. A crash between any
 * two steps is completed, or undone, when the directory is opened next:
 *
 * <pre>
 * salvage/            the copy is being made; without its mark it is deleted
 * salvage/complete    the mark: the copy is complete; the old files are moved to damaged/
 * salvaged/           the old files are moved; the new ones are moved out of here
 * </pre>
 */
final class SalvageFiles {
  /**
   * Where damaged log files, and ends that were cut off, are kept; those of before the last repair
   * are in damaged.1 and so on.
   */
  static final String DAMAGED = "damaged";

  private static final Logger LOG = LoggerFactory.getLogger(SalvageFiles.class);
  private static final String COPYING = "salvage";
  private static final String COPIED = "salvaged";
  private static final String COMPLETE = "complete";
  private static final String PARTIAL = ".partial";
  private static final int PART_BYTES = 64 << 10;
  private final Path directory;

  SalvageFiles(Path directory) {
    this.directory = directory;
  }

  /** Deletes JE's mark, so that the files can be opened. */
  void dropRefusal() {
    try {
      Files.deleteIfExists(directory.resolve(LogFiles.MARKER));
    } catch (IOException e) {
      // JE then refuses to open the files, and says why.
      LOG.debug("{} cannot be deleted", directory.resolve(LogFiles.MARKER), e);
    }
  }

  /** Whether a store deletes what has such a name. */
  static boolean isCopy(String name) {
    return name.equals(COPYING) || name.equals(COPIED);
  }

  /** Creates the directory for the copy. */
  Path begin() throws IOException {
    return Files.createDirectories(directory.resolve(COPYING));
  }

  /** Replaces the log by the copy, which is complete. */
  void replace() throws IOException {
    keepEarlier();
    Files.createFile(directory.resolve(COPYING).resolve(COMPLETE));
    finish();
  }

  /** The log that an earlier repair has replaced may be all that there is of a message. */
  private void keepEarlier() throws IOException {
    Path damaged = directory.resolve(DAMAGED);
    if (Files.exists(damaged)) {
      int number = 1;
      while (Files.exists(directory.resolve(DAMAGED + "." + number))) {
        number++;
      }
      Files.move(
          damaged, directory.resolve(DAMAGED + "." + number), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /**
   * Copies what is going to be cut off at the end of the log. Each end has its own name: the file,
   * the offset, and a checksum.
   *
   * @return the copy, which is on the device
   */
  Path keepEnd(LogFault fault) throws IOException {
    Path damaged = Files.createDirectories(directory.resolve(DAMAGED));
    Path partial = damaged.resolve(fault.file() + PARTIAL);
    CRC32C sum = new CRC32C();
    try (FileChannel log =
            FileChannel.open(directory.resolve(fault.file()), StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(
                partial,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
      log.position(fault.offset());
      ByteBuffer part = ByteBuffer.allocate(PART_BYTES);
      while (log.read(part.clear()) > 0) {
        sum.update(part.flip().duplicate());
        while (part.hasRemaining()) {
          out.write(part);
        }
      }
      out.force(true);
    }
    String name = fault.file() + "-" + fault.offset() + "-" + Long.toHexString(sum.getValue());
    Path copy = damaged.resolve(name);
    Files.move(partial, copy, StandardCopyOption.ATOMIC_MOVE);
    StoreDirectory.force(damaged);
    return copy;
  }

  /** Deletes a copy that could not be completed. */
  void abandon() {
    try {
      if (Files.notExists(directory.resolve(COPYING).resolve(COMPLETE))) {
        deleteAll(directory.resolve(COPYING));
      }
    } catch (IOException e) {
      LOG.debug("{} cannot be deleted and stays", directory.resolve(COPYING), e);
    }
  }

  /**
   * Whether a crash has left log files that are not in their place; true also if the device does
   * not tell, and then {@link #finish} fails.
   */
  boolean isUnfinished() {
    return !Files.notExists(directory.resolve(COPYING).resolve(COMPLETE))
        || !Files.notExists(directory.resolve(COPIED));
  }

  /** Completes or undoes a replacement that a crash has interrupted. */
  void finish() throws IOException {
    Path copying = directory.resolve(COPYING);
    Path copied = directory.resolve(COPIED);
    if (exists(copying.resolve(COMPLETE))) {
      Path damaged = Files.createDirectories(directory.resolve(DAMAGED));
      LogMark.move(directory, damaged);
      moveLogs(directory, damaged);
      Files.move(copying, copied, StandardCopyOption.ATOMIC_MOVE);
    }
    if (exists(copied)) {
      moveLogs(copied, directory);
      LogMark.move(copied, directory);
      deleteAll(copied);
    }
    deleteAll(copying);
  }

  /**
   * Unlike {@link Files#exists} it does not take a device that fails for a file that is not there.
   */
  private static boolean exists(Path path) throws IOException {
    try {
      Files.getLastModifiedTime(path);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Moves also what JE has renamed: the new log may have lower numbers, and end before it. */
  private static void moveLogs(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(SalvageFiles::isOfLog).toList()) {
        Files.move(file, to.resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  private static boolean isOfLog(Path file) {
    String name = file.getFileName().toString();
    return LogFiles.isLog(name) || LogFiles.isMoved(name);
  }

  /** Deletes a directory and all in it, if there is one. */
  static void deleteAll(Path path) throws IOException {
    if (Files.exists(path)) {
      List<Path> all;
      try (Stream<Path> files = Files.walk(path)) {
        all = files.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path file : all) {
        Files.delete(file);
      }
    }
  }
}
