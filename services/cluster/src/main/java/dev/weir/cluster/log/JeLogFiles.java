package dev.weir.cluster.log;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DiskLimitException;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentLockedException;
import com.sleepycat.je.ThreadInterruptedException;
import com.sleepycat.je.Transaction;
import dev.weir.queue.QueueException;
import dev.weir.queue.je.DirectoryLock;
import dev.weir.queue.je.JeLogTail;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private final Path directory;
  private final DirectoryLock lock;
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
      JeLogTail.trim(directory);
      environment = new Environment(directory.toFile(), JeLogConfig.environment());
      opened = true;
    } catch (EnvironmentLockedException e) {
      throw new LogException("directory " + directory + " is in use by another process", e);
    } catch (DatabaseException | UncheckedIOException e) {
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
   * JE shares an environment that is opened twice in a process, and does not say which other
   * process has it open.
   */
  private static DirectoryLock lock(Path directory) {
    try {
      return DirectoryLock.acquire(directory);
    } catch (QueueException e) {
      throw new LogException(e.getMessage(), e);
    }
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

  /** Refuses every use from now on: the log is being closed. */
  void refuse() {
    if (failure == null) {
      failure = new LogException("the log in " + directory + " is closed", null);
    }
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
    refuse();
    closeQuietly(environment);
    closeQuietly(lock);
  }
}
