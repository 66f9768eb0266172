package dev.weir.cluster;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DiskLimitException;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentLockedException;
import com.sleepycat.je.ThreadInterruptedException;
import com.sleepycat.je.Transaction;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory and the JE environment of one transaction log, and what its failures mean. The
 * first failure ends the use of the environment.
 */
final class JeLogFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JeLogFiles.class);
  private static final String LOCK_FILE = "weir.lock";

  private final Path directory;
  private final FileChannel lock;
  private final Environment environment;
  private volatile LogException failure;

  /**
   * Makes the directory if it is absent.
   *
   * @throws LogException if it cannot be used or is in use
   */
  JeLogFiles(Path directory) {
    this.directory = directory;
    this.lock = lock(directory);
    boolean opened = false;
    try {
      environment = new Environment(directory.toFile(), JeLogConfig.environment());
      opened = true;
    } catch (EnvironmentLockedException e) {
      throw inUse(directory, e);
    } catch (DatabaseException e) {
      throw new LogException(
          "cannot open the log in "
              + directory
              + ": "
              + firstLine(e)
              + "; if that stays so, empty the directory: the replica will fetch what it needs from"
              + " the others",
          e);
    } finally {
      if (!opened) {
        closeQuietly(lock);
      }
    }
  }

  /**
   * JE shares an environment that is opened twice in a process; this keeps a second log of this
   * process out, JE those of others.
   */
  private static FileChannel lock(Path directory) {
    FileChannel channel = null;
    try {
      Files.createDirectories(directory);
      channel =
          FileChannel.open(
              directory.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        closeQuietly(channel);
        throw inUse(directory, null);
      }
      return channel;
    } catch (OverlappingFileLockException e) {
      closeQuietly(channel);
      throw inUse(directory, e);
    } catch (IOException e) {
      closeQuietly(channel);
      throw new LogException("directory " + directory + " cannot be used for a log: " + e, e);
    }
  }

  private static LogException inUse(Path directory, Exception cause) {
    return new LogException(
        "directory " + directory + " is in use by another log, of this or another process", cause);
  }

  Path directory() {
    return directory;
  }

  /** Refuses every use after the first failure. */
  void checkUsable() {
    LogException first = failure;
    if (first != null) {
      throw new LogException(
          "the log in " + directory + " can no longer be used: " + first.getMessage(), first);
    }
  }

  boolean isUsable() {
    return failure == null;
  }

  /** Takes a failure of JE; returns what to throw. */
  LogException failed(DatabaseException e) {
    return failed(why(e), e);
  }

  /** Takes any other failure after which the log must not be used; returns what to throw. */
  LogException failed(String why, Throwable cause) {
    LogException told = new LogException("the log in " + directory + " " + why, cause);
    if (failure == null) {
      failure = told;
    }
    return told;
  }

  private String why(DatabaseException e) {
    if (e instanceof ThreadInterruptedException) {
      return "has failed because a thread was interrupted while it used it: threads of a group must"
          + " not be interrupted; start the replica again";
    }
    if (e instanceof DiskLimitException) {
      return "has failed because the disk is full: make room, then start the replica again";
    }
    return "has failed: "
        + firstLine(e)
        + "; start the replica again, and if that fails too, empty the directory: the replica will"
        + " fetch what it needs from the others";
  }

  /** What to throw when something read is not what was written. */
  LogException damaged(String what) {
    return failed(
        "is damaged: "
            + what
            + "; empty the directory: the replica will fetch what it needs from the others",
        null);
  }

  Database open(String name, DatabaseConfig config) {
    return environment.openDatabase(null, name, config);
  }

  Transaction begin() {
    return environment.beginTransaction(null, null);
  }

  /** Removes the databases, none of them open, that nothing refers to. */
  void removeAll(Predicate<String> useless) {
    environment.getDatabaseNames().stream().filter(useless).forEach(this::remove);
  }

  /** Removes a database, which must not be open. */
  void remove(String name) {
    environment.removeDatabase(null, name);
  }

  /** Hands what is buffered to the operating system, or forces it to the device. */
  void flush(boolean toDevice) {
    environment.flushLog(toDevice);
  }

  long bytes() {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".jdb"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    } catch (IOException e) {
      // It is asked for by metrics, which must not stop anything.
      LOG.warn("cannot list {}: {}", directory, e.toString());
      return 0;
    }
  }

  private static String firstLine(Throwable e) {
    String message = String.valueOf(e.getMessage());
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }

  static void closeQuietly(Closeable closing) {
    if (closing != null) {
      try {
        closing.close();
      } catch (IOException | RuntimeException e) {
        LOG.debug("closing {}: {}", closing.getClass().getSimpleName(), firstLine(e));
      }
    }
  }

  /**
   * Closes the environment, whose databases are closed, whatever it says: an invalid one complains
   * about being closed, a full disk about the last checkpoint, and the log has all that was forced.
   */
  @Override
  public void close() {
    if (failure == null) {
      failure = new LogException("the log in " + directory + " is closed", null);
    }
    closeQuietly(environment);
    closeQuietly(lock);
  }
}
