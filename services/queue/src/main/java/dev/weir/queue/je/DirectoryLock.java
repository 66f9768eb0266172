package dev.weir.queue.je;

import static dev.weir.queue.QueueException.Reason.DIRECTORY_IN_USE;
import static dev.weir.queue.QueueException.Reason.DIRECTORY_UNUSABLE;

import dev.weir.options.Checks;
import dev.weir.queue.QueueException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lock that gives a data directory to one user among this and other processes. It is a lock on
 * the file {@code weir.lock} in the directory; the file also says who holds it. The system releases
 * it when the process ends, even by a crash. Any thread; no method waits for a lock.
 */
public final class DirectoryLock implements Closeable {
  static final String LOCK_FILE = "weir.lock";

  /**
   * The directories that this process has locked. The file lock cannot tell, because it belongs to
   * the whole process, and closing the file a second time would release it.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path real;
  private FileChannel channel;
  private boolean closed;

  private DirectoryLock(Path real) {
    this.real = real;
  }

  /**
   * Locks a directory, which is created if it is absent.
   *
   * @param directory not null
   * @throws QueueException {@code DIRECTORY_IN_USE} with one line that says who holds it, or {@code
   *     DIRECTORY_UNUSABLE}
   */
  public static DirectoryLock acquire(Path directory) {
    Checks.notNull("directory", directory);
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory);
      }
      return acquireExisting(directory, false);
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  /**
   * Locks an existing directory against stores, to read it. Who may not write there gets a lock
   * that keeps no store away but finds one that is open.
   *
   * @param directory not null
   * @throws QueueException as {@link #acquire}
   */
  public static DirectoryLock acquireToRead(Path directory) {
    try {
      return acquireExisting(directory, true);
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  private static DirectoryLock acquireExisting(Path directory, boolean toRead) throws IOException {
    DirectoryLock lock = new DirectoryLock(directory.toRealPath());
    if (!HELD.add(lock.real)) {
      throw inUse(directory, "this process");
    }
    boolean locked = false;
    try {
      lock.lock(directory, toRead && !Files.isWritable(directory));
      locked = true;
      return lock;
    } finally {
      if (!locked) {
        lock.close();
      }
    }
  }

  private void lock(Path directory, boolean readOnly) throws IOException {
    Path file = directory.resolve(LOCK_FILE);
    if (readOnly && Files.notExists(file)) {
      return;
    }
    channel =
        readOnly
            ? FileChannel.open(file, StandardOpenOption.READ)
            : FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!tryLock(readOnly)) {
      throw inUse(directory, LockHolder.read(directory, LOCK_FILE));
    }
    if (readOnly) {
      // It was only to find a store: a lock that is kept would fail the start of one.
      channel.close();
    } else {
      LockHolder.write(channel);
    }
  }

  private boolean tryLock(boolean shared) throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, shared) != null;
    } catch (OverlappingFileLockException e) {
      // This process has locked the same directory through another mount.
      return false;
    }
  }

  private static QueueException inUse(Path directory, String holder) {
    return new QueueException(
        DIRECTORY_IN_USE, "directory " + directory + " is in use by " + holder);
  }

  /** The failure to throw when a directory cannot be used. */
  static QueueException unusable(Path directory, IOException e) {
    return new QueueException(
        DIRECTORY_UNUSABLE, "directory " + directory + " cannot be used: " + describe(e), e);
  }

  /** What a failure says, in one line. */
  public static String describe(IOException e) {
    FileObstacle obstacle = FileObstacle.of(e);
    if (obstacle != null) {
      return obstacle.text();
    }
    return e.getClass().getSimpleName() + " " + e.getMessage();
  }

  /**
   * Releases the lock. A second call does nothing.
   *
   * @throws QueueException {@code DIRECTORY_UNUSABLE} if the system refuses
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw new QueueException(
          DIRECTORY_UNUSABLE, "cannot release the directory lock: " + describe(e), e);
    } finally {
      HELD.remove(real);
    }
  }
}
