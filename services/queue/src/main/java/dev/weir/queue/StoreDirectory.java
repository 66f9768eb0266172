package dev.weir.queue;

import static dev.weir.queue.QueueException.Reason.DIRECTORY_IN_USE;
import static dev.weir.queue.QueueException.Reason.DIRECTORY_UNUSABLE;
import static dev.weir.queue.QueueException.Reason.NEWER_FORMAT;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The directory of a store: made, locked against every other store of this and other processes, and
 * marked with the format of what is in it.
 */
final class StoreDirectory implements AutoCloseable {
  static final int FORMAT_VERSION = 2;
  static final String FORMAT_FILE = "weir.format";
  private static final String LOCK_FILE = "weir.lock";

  /**
   * What this process has open. The file lock cannot tell: it belongs to the process, and would be
   * given up by closing the file a second time.
   */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  private final Path real;
  private FileChannel channel;

  private StoreDirectory(Path real) {
    this.real = real;
  }

  /** Opens a directory, made if it is absent. */
  static StoreDirectory open(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw unusable(directory, e);
    }
    return open(directory, true);
  }

  /**
   * Opens a directory that holds a store.
   *
   * @param mark false to write nothing but the lock into it
   */
  static StoreDirectory openExisting(Path directory, boolean mark) {
    checkStore(directory);
    return open(directory, mark);
  }

  private static StoreDirectory open(Path directory, boolean mark) {
    try {
      StoreDirectory opened = new StoreDirectory(directory.toRealPath());
      if (!OPEN.add(opened.real)) {
        throw new QueueException(
            DIRECTORY_IN_USE, "directory " + directory + " is in use by a store of this process");
      }
      opened.lockAndCheck(directory, mark);
      return opened;
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  private static QueueException unusable(Path directory, IOException e) {
    return new QueueException(
        DIRECTORY_UNUSABLE, "directory " + directory + " cannot be used: " + describe(e), e);
  }

  private static void checkStore(Path directory) {
    refuse(Files.notExists(directory), directory, "does not exist");
    refuse(!Files.isDirectory(directory), directory, "is not a directory");
    boolean marked = Files.exists(directory.resolve(FORMAT_FILE));
    refuse(!marked, directory, "holds no store: it has no file " + FORMAT_FILE);
  }

  private static void refuse(boolean condition, Path directory, String why) {
    if (condition) {
      throw new QueueException(DIRECTORY_UNUSABLE, "directory " + directory + " " + why);
    }
  }

  private void lockAndCheck(Path directory, boolean mark) throws IOException {
    boolean usable = false;
    try {
      channel =
          FileChannel.open(
              directory.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!lock()) {
        throw new QueueException(
            DIRECTORY_IN_USE,
            "directory " + directory + " is in use by " + LockHolder.read(directory, LOCK_FILE));
      }
      LockHolder.write(channel);
      checkFormat(directory, mark);
      usable = true;
    } finally {
      if (!usable) {
        close();
      }
    }
  }

  private boolean lock() throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // The same directory by another mount.
      return false;
    }
  }

  private static void checkFormat(Path directory, boolean mark) throws IOException {
    Path file = directory.resolve(FORMAT_FILE);
    if (Files.notExists(file)) {
      writeFormat(directory);
      return;
    }
    String text = Files.readString(file).trim();
    int format;
    try {
      format = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IOException(FORMAT_FILE + " holds '" + text + "', not a number", e);
    }
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
    if (mark && format < FORMAT_VERSION) {
      // What is there can be read; what will be added an older version cannot.
      writeFormat(directory);
    }
  }

  /** In one step: a half-written mark would make the directory unusable. */
  static void writeFormat(Path directory) throws IOException {
    Path written =
        Files.writeString(directory.resolve(FORMAT_FILE + ".new"), FORMAT_VERSION + "\n");
    Files.move(written, directory.resolve(FORMAT_FILE), StandardCopyOption.ATOMIC_MOVE);
  }

  private static String describe(IOException e) {
    return e.getClass().getSimpleName() + " " + e.getMessage();
  }

  /** Gives up the lock. */
  @Override
  public void close() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw new QueueException(
          DIRECTORY_UNUSABLE, "cannot release the directory lock: " + describe(e), e);
    } finally {
      OPEN.remove(real);
    }
  }
}
