package dev.weir.queue.je;

import static dev.weir.queue.QueueException.Reason.DIRECTORY_UNUSABLE;
import static dev.weir.queue.QueueException.Reason.NEWER_FORMAT;

import dev.weir.queue.QueueException;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.segment.SegmentDirectory;
import dev.weir.queue.segment.Segments;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;

/**
 * The directory of a store: created, locked against other stores of this and other processes, and
 * marked with the version of the format of its contents.
 */
public final class StoreDirectory implements Closeable {
  /** The newest format that is read. */
  public static final int FORMAT_VERSION = 3;

  /** The format of a directory without segments. */
  public static final int FORMAT_WITHOUT_SEGMENTS = 2;

  public static final String FORMAT_FILE = "weir.format";

  private static final String NEW_FORMAT = FORMAT_FILE + ".new";

  private final DirectoryLock lock;

  private StoreDirectory(DirectoryLock lock) {
    this.lock = lock;
  }

  /** Opens a directory, which is created if it is absent. */
  public static StoreDirectory open(Path directory) {
    return open(directory, true);
  }

  /**
   * Opens a directory that holds a store.
   *
   * @param mark false to write nothing but the lock file
   */
  public static StoreDirectory openExisting(Path directory, boolean mark) {
    checkStore(directory);
    return open(directory, mark);
  }

  private static StoreDirectory open(Path directory, boolean mark) {
    refuseForeign(directory);
    DirectoryLock lock =
        mark ? DirectoryLock.acquire(directory) : DirectoryLock.acquireToRead(directory);
    boolean usable = false;
    try {
      checkFormat(directory, mark);
      usable = true;
      return new StoreDirectory(lock);
    } catch (IOException e) {
      throw DirectoryLock.unusable(directory, e);
    } finally {
      if (!usable) {
        lock.close();
      }
    }
  }

  /** Whether a directory holds nothing, or only what an opening that failed has left. */
  public static boolean isUnused(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .allMatch(name -> name.equals(DirectoryLock.LOCK_FILE) || name.equals(NEW_FORMAT));
    }
  }

  private static void checkStore(Path directory) {
    try {
      boolean isDirectory =
          Files.readAttributes(directory, BasicFileAttributes.class).isDirectory();
      refuse(!isDirectory, directory, "is not a directory");
      Files.readAttributes(directory.resolve(FORMAT_FILE), BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      refuse(e.getFile().equals(directory.toString()), directory, "does not exist");
      String why = "holds no store: it has no file " + FORMAT_FILE;
      refuse(!LogFiles.exist(directory), directory, why);
    } catch (IOException e) {
      throw DirectoryLock.unusable(directory, e);
    }
  }

  /** Another program may have files with such names, which opening a store changes or deletes. */
  private static void refuseForeign(Path directory) {
    boolean isUnmarked =
        Files.notExists(directory.resolve(FORMAT_FILE))
            && Files.notExists(directory.resolve(LogMark.FILE));
    try {
      refuse(
          isUnmarked && LogFiles.hasAny(directory),
          directory,
          "holds files of another program, or of a store that has lost "
              + FORMAT_FILE
              + " and "
              + LogMark.FILE
              + "; if they are a store's, write "
              + FORMAT_VERSION
              + " to "
              + FORMAT_FILE);
    } catch (IOException e) {
      throw DirectoryLock.unusable(directory, e);
    }
  }

  private static void refuse(boolean condition, Path directory, String why) {
    if (condition) {
      throw new QueueException(DIRECTORY_UNUSABLE, "directory " + directory + " " + why);
    }
  }

  private static void checkFormat(Path directory, boolean mark) throws IOException {
    Path file = directory.resolve(FORMAT_FILE);
    if (Files.notExists(file)) {
      if (mark) {
        // The records tell a newer format too.
        writeFormat(directory, FORMAT_WITHOUT_SEGMENTS);
      }
      return;
    }
    int format = format(file);
    if (format > FORMAT_VERSION) {
      throw new QueueException(
          NEWER_FORMAT,
          "directory "
              + directory
              + " has format "
              + format
              + ", this version reads up to "
              + FORMAT_VERSION);
    }
    if (mark && format < FORMAT_WITHOUT_SEGMENTS) {
      // This version reads the older records, but an older version cannot read the new ones.
      writeFormat(directory, FORMAT_WITHOUT_SEGMENTS);
    }
  }

  /** Marks a directory before it gets its first segment, which an older version cannot read. */
  static void markSegments(Path directory) throws IOException {
    Path file = directory.resolve(FORMAT_FILE);
    if (Files.notExists(file) || format(file) < FORMAT_VERSION) {
      writeFormat(directory, FORMAT_VERSION);
    }
  }

  /** Whether a directory has segments, or had. */
  static boolean hasSegments(Path directory) {
    try {
      Path file = directory.resolve(FORMAT_FILE);
      return !SegmentDirectory.of(directory).isEmpty()
          || Files.exists(file) && format(file) == FORMAT_VERSION;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The segments of the directory of a store that is open. */
  static Segments segments(QueueStoreOptions options) {
    Path directory = options.getDirectory();
    SegmentDirectory files =
        new SegmentDirectory(
            directory, directory.resolve(SalvageFiles.DAMAGED), () -> markSegments(directory));
    return new Segments(files, JeConfig.logFileBytes(options));
  }

  private static int format(Path file) throws IOException {
    String text = Files.readString(file).trim();
    int format;
    try {
      format = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IOException(FORMAT_FILE + " holds '" + text + "', not a number", e);
    }
    if (format < 1) {
      throw new IOException(
          FORMAT_FILE + " holds " + format + ", allowed is 1 to " + FORMAT_VERSION);
    }
    return format;
  }

  /**
   * Replaces the format file in one step and forces it to the device: a half-written format file,
   * or an empty one after a loss of power, would make the directory unusable.
   */
  static void writeFormat(Path directory, int format) throws IOException {
    Path written = Files.writeString(directory.resolve(NEW_FORMAT), format + "\n");
    force(written);
    Files.move(written, directory.resolve(FORMAT_FILE), StandardCopyOption.ATOMIC_MOVE);
    force(directory);
  }

  /** Forces a file, or the names in a directory, to the device. */
  static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** The failure to throw when a directory cannot be read. */
  public static QueueException unreadable(Path directory, IOException cause) {
    return new QueueException(
        DIRECTORY_UNUSABLE,
        "directory " + directory + " cannot be read: " + DirectoryLock.describe(cause),
        cause);
  }

  /** Releases the lock. */
  @Override
  public void close() {
    lock.close();
  }
}
