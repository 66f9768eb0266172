package dev.weir.queue;

import static dev.weir.queue.QueueException.Reason.DIRECTORY_IN_USE;
import static dev.weir.queue.QueueException.Reason.DIRECTORY_UNUSABLE;
import static dev.weir.queue.QueueException.Reason.NEWER_FORMAT;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The directory of a store: made, locked against every other store of this and other processes, and
 * marked with the format of what is in it.
 */
final class StoreDirectory implements AutoCloseable {
  static final int FORMAT_VERSION = 1;
  private static final String FORMAT_FILE = "weir.format";
  private static final String LOCK_FILE = "weir.lock";

  private final FileChannel channel;
  private final FileLock lock;

  private StoreDirectory(FileChannel channel, FileLock lock) {
    this.channel = channel;
    this.lock = lock;
  }

  static StoreDirectory open(Path directory) {
    FileChannel channel = null;
    try {
      Files.createDirectories(directory);
      channel =
          FileChannel.open(
              directory.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = lock(directory, channel);
      checkFormat(directory);
      return new StoreDirectory(channel, lock);
    } catch (IOException e) {
      closeQuietly(channel);
      throw new QueueException(
          DIRECTORY_UNUSABLE, "directory " + directory + " cannot be used: " + describe(e), e);
    } catch (QueueException e) {
      closeQuietly(channel);
      throw e;
    }
  }

  private static FileLock lock(Path directory, FileChannel channel) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      throw new QueueException(
          DIRECTORY_IN_USE, "directory " + directory + " is in use by another store");
    }
    return lock;
  }

  private static void checkFormat(Path directory) throws IOException {
    Path file = directory.resolve(FORMAT_FILE);
    if (Files.notExists(file)) {
      Files.writeString(file, FORMAT_VERSION + "\n");
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
  }

  private static String describe(IOException e) {
    return e.getClass().getSimpleName() + " " + e.getMessage();
  }

  private static void closeQuietly(FileChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // Nothing was written through it.
        return;
      }
    }
  }

  @Override
  public void close() {
    try {
      lock.release();
      channel.close();
    } catch (IOException e) {
      throw new QueueException(
          DIRECTORY_UNUSABLE, "cannot release the directory lock: " + describe(e), e);
    }
  }
}
