package dev.weir.cluster.log;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DatabaseNotFoundException;
import com.sleepycat.je.DiskLimitException;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentLockedException;
import com.sleepycat.je.ThreadInterruptedException;
import com.sleepycat.je.Transaction;
import dev.weir.queue.QueueException;
import dev.weir.queue.je.DirectoryLock;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.JeLogTail;
import dev.weir.queue.je.LogFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory and the JE environment of one transaction log. It turns failures of JE into {@link
 * LogException}s; after the first one the environment is not used any more.
 */
final class LogEnvironment implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogEnvironment.class);

  /**
   * A file that is there while pages of the log may not be on the device. Its content is the number
   * of the first file of the log whose sync has failed, if that was one of ours.
   */
  private static final String UNSYNCED = "weir.unsynced";

  private static final long SYNCED = Long.MAX_VALUE;

  private final Path directory;
  private final DirectoryLock lock;
  private final Environment environment;
  private final LogFiles.Sync sync;
  private volatile LogException failure;

  /** Number of the first file whose sync has failed. */
  private volatile long unsyncedFrom = SYNCED;

  /**
   * Opens the environment, and creates the directory if it is absent.
   *
   * @throws LogException if the directory cannot be used or is in use
   */
  LogEnvironment(Path directory) {
    this.directory = directory;
    this.lock = lock(directory);
    Environment begun = null;
    boolean opened = false;
    try {
      rewriteUnsynced();
      JeLogTail.trim(directory);
      begun = new Environment(directory.toFile(), JeLogConfig.environment());
      environment = begun;
      sync = new LogFiles.Sync(directory);
      opened = true;
    } catch (EnvironmentLockedException e) {
      throw new LogException("directory " + directory + " is in use by another process", e);
    } catch (DatabaseException | IOException | UncheckedIOException e) {
      throw new LogException(
          "cannot open the log in "
              + directory
              + ": "
              + JeFiles.firstLine(e)
              + "; if that stays so, empty the directory: the replica will fetch what it needs from"
              + " the others",
          e);
    } finally {
      if (!opened) {
        LogFiles.closeQuietly(begun);
        LogFiles.closeQuietly(lock);
      }
    }
  }

  /**
   * Locks the directory. JE's own lock does not keep out a second use by the same process, and does
   * not name the other process.
   */
  private static DirectoryLock lock(Path directory) {
    try {
      return DirectoryLock.acquire(directory);
    } catch (QueueException e) {
      throw new LogException(e.getMessage(), e);
    }
  }

  /**
   * After a failed sync the operating system takes pages for written that are not on the device, so
   * what is read here may be gone after a loss of power. An operator may start the replica again on
   * the same system.
   */
  private void rewriteUnsynced() throws IOException {
    Path mark = directory.resolve(UNSYNCED);
    if (Files.exists(mark)) {
      String number = Files.readString(mark, StandardCharsets.ISO_8859_1);
      boolean whole = number.matches("\\d{1,18}");
      JeLogTail.rewrite(directory, whole ? Long.parseLong(number) : SYNCED);
      Files.delete(mark);
    }
  }

  /**
   * Notes that a sync may have failed. A loss of power may lose the note, or leave zeros in it:
   * then it is not needed.
   */
  private void noteUnsynced() {
    if (environment.isValid() && unsyncedFrom == SYNCED) {
      return;
    }
    try {
      Files.writeString(
          directory.resolve(UNSYNCED), unsyncedFrom == SYNCED ? "" : "" + unsyncedFrom);
    } catch (IOException e) {
      LOG.warn("cannot note in {} that its log may not be on the device: {}", directory, "" + e);
    }
  }

  Path directory() {
    return directory;
  }

  /** Throws if there was a failure, or the log is closed. */
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

  /** Refuses every use from now on, because the log is being closed. */
  void refuse() {
    if (failure == null) {
      failure = new LogException("the log in " + directory + " is closed", null);
    }
  }

  /** Records a failure of JE; returns the exception to throw. */
  LogException failed(DatabaseException e) {
    noteUnsynced();
    return failed(why(e), e);
  }

  /** Records another failure that makes the log unusable; returns the exception to throw. */
  LogException failed(String why, Throwable cause) {
    LogException told = new LogException("the log in " + directory + " " + why, cause);
    if (failure == null) {
      failure = told;
    }
    return told;
  }

  private String why(Exception e) {
    if (e instanceof ThreadInterruptedException) {
      return "has failed because a thread was interrupted while it used it: threads of a group must"
          + " not be interrupted; start the replica again";
    }
    if (e instanceof DiskLimitException) {
      return "has failed because the disk is full: make room, then start the replica again";
    }
    return "has failed: "
        + JeFiles.firstLine(e)
        + "; start the replica again, and if that fails too, empty the directory: the replica will"
        + " fetch what it needs from the others";
  }

  /** Records damage; returns the exception to throw. */
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

  /** Removes the tables for which {@code useless} is true; none of them may be open. */
  void removeAll(Predicate<String> useless) {
    for (String name : environment.getDatabaseNames()) {
      if (useless.test(name)) {
        try {
          remove(name);
        } catch (DatabaseNotFoundException e) {
          // See #lastNumber.
          LOG.debug("{} is listed in {}, but is not there", name, directory);
        }
      }
    }
  }

  /**
   * The largest number of the tables that are named by this prefix and a number; 0 for none. After
   * a failure of the disk JE may know the name of a table that it has removed, and can neither
   * remove nor create a table of that name any more.
   */
  long lastNumber(String prefix) {
    return environment.getDatabaseNames().stream()
        .filter(name -> name.startsWith(prefix))
        .mapToLong(name -> Long.parseLong(name.substring(prefix.length())))
        .max()
        .orElse(0);
  }

  /** Removes a table, which must not be open. */
  void remove(String name) {
    environment.removeDatabase(null, name);
  }

  /**
   * Writes buffered records to the operating system, and with {@code toDevice} forces them to the
   * device. JE's own sync is not used for that: of the threads that wait for one, JE tells only the
   * first that it has failed.
   *
   * @throws LogException if the device has not got them, or may not have
   */
  void flush(boolean toDevice) {
    environment.flushLog(false);
    if (toDevice) {
      force();
    }
  }

  private void force() {
    checkUsable();
    try {
      sync.force();
    } catch (IOException e) {
      unsyncedFrom = Math.min(unsyncedFrom, sync.number());
      noteUnsynced();
      throw failed(why(e), e);
    }
    // A sync of JE's own, or one for another thread, may have failed meanwhile.
    checkUsable();
    if (!environment.isValid()) {
      throw failed(environment.getInvalidatingException());
    }
  }

  long bytes() {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".jdb"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    } catch (IOException e) {
      // Metrics call this, and must not fail because of it.
      LOG.warn("cannot list {}: {}", directory, e.toString());
      return 0;
    }
  }

  /**
   * Closes the environment, whose tables must be closed. Failures are ignored: an invalid
   * environment and a full disk cause some, and everything that was forced is on disk already.
   */
  @Override
  public void close() {
    refuse();
    noteUnsynced();
    LogFiles.closeQuietly(sync);
    LogFiles.closeQuietly(environment);
    LogFiles.closeQuietly(lock);
  }
}
