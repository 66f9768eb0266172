package dev.weir.cluster.log;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DatabaseNotFoundException;
import com.sleepycat.je.DiskLimitException;
import com.sleepycat.je.ThreadInterruptedException;
import com.sleepycat.je.Transaction;
import dev.weir.queue.je.JeFiles;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of one transaction log in a {@link SharedEnvironment}. It turns failures of JE into
 * {@link LogException}s; after the first one the log is not used any more. A failure of the whole
 * environment ends all logs in it; damage in a table ends only the log of that table.
 */
final class LogEnvironment implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogEnvironment.class);

  private final SharedEnvironment shared;
  private final String prefix;
  private volatile LogException failure;

  /**
   * @param shared in which this log counts as a user already
   * @param prefix begins the names of the tables of this log; empty if it has no other log
   */
  LogEnvironment(SharedEnvironment shared, String prefix) {
    this.shared = shared;
    this.prefix = prefix;
  }

  Path directory() {
    return shared.directory();
  }

  /** A job of the thread that deletes for all logs of the environment. */
  LogTrimmer.Job trimming(LogTrimmer.Step step) {
    return shared.trimmer().job(step);
  }

  /** Throws if there was a failure, or the log is closed. */
  void checkUsable() {
    LogException first = failure();
    if (first != null) {
      throw new LogException(
          "the log in " + directory() + " can no longer be used: " + first.getMessage(), first);
    }
  }

  /**
   * Uses JE. What it throws is recorded, and thrown as a {@link LogException}.
   *
   * @throws LogException also if there was a failure before
   */
  <V> V use(Supplier<V> call) {
    checkUsable();
    try {
      return call.get();
    } catch (DatabaseException e) {
      throw failed(e);
    }
  }

  /** The same without a result. */
  void use(Runnable call) {
    use(
        () -> {
          call.run();
          return null;
        });
  }

  private LogException failure() {
    LogException own = failure;
    return own == null ? shared.failure() : own;
  }

  boolean isUsable() {
    return failure() == null;
  }

  /** Refuses every use from now on, because the log is being closed. */
  void refuse() {
    if (failure == null) {
      failure = new LogException("the log in " + directory() + " is closed", null);
    }
  }

  /** Records a failure of JE; returns the exception to throw. */
  LogException failed(DatabaseException e) {
    shared.noteUnsynced();
    LogException told = failed(why(e), e);
    if (!shared.isValid()) {
      shared.fail(told);
    }
    return told;
  }

  /** Records another failure that makes the log unusable; returns the exception to throw. */
  LogException failed(String why, Throwable cause) {
    LogException told = new LogException("the log in " + directory() + " " + why, cause);
    if (failure == null) {
      failure = told;
    }
    return told;
  }

  private String why(Exception e) {
    if (e instanceof ThreadInterruptedException || e instanceof ClosedByInterruptException) {
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
    return shared.open(prefix + name, config);
  }

  Transaction begin() {
    return shared.begin();
  }

  /** Removes the tables for which {@code useless} is true; none of them may be open. */
  void removeAll(Predicate<String> useless) {
    for (String name : shared.names(prefix)) {
      if (useless.test(name.substring(prefix.length()))) {
        try {
          shared.remove(name);
        } catch (DatabaseNotFoundException e) {
          // See SharedEnvironment#remove.
          LOG.debug("{} is listed in {}, but is not there", name, directory());
        }
      }
    }
  }

  /** The largest number of the tables that are named by this kind and a number; 0 for none. */
  long lastNumber(String kind) {
    return shared.names(prefix + kind).stream()
        .mapToLong(name -> Long.parseLong(name.substring(prefix.length() + kind.length())))
        .max()
        .orElse(0);
  }

  /** Removes a table, which must not be open. */
  void remove(String name) {
    shared.remove(prefix + name);
  }

  /** Counts records that were put; returns their number, for {@link #flush(long, boolean)}. */
  long put(int bytes) {
    return shared.put(bytes);
  }

  /** Counts bytes of records that get no number: nobody waits until they are written. */
  void count(int bytes) {
    shared.count(bytes);
  }

  /** Does {@link #flush(long, boolean)} for all records that were put before. */
  void flush(boolean toDevice) {
    flush(put(0), toDevice);
  }

  /**
   * Writes the buffered records up to a number to the operating system, and with {@code toDevice}
   * forces them to the device. Does nothing if that was done already, maybe for another log.
   *
   * @throws LogException if the device has not got them, or may not have
   */
  void flush(long number, boolean toDevice) {
    shared.write(number);
    if (toDevice) {
      force(number);
    }
  }

  private void force(long number) {
    checkUsable();
    try {
      shared.force(number);
    } catch (IOException e) {
      LogException told = failed(why(e), e);
      shared.fail(told);
      throw told;
    }
    // A sync of JE's own, or one for another thread, may have failed meanwhile.
    checkUsable();
    if (!shared.isValid()) {
      throw failed(shared.invalidating());
    }
  }

  /** Has a start read less of the log. */
  void checkpoint() {
    shared.checkpoint();
  }

  /** Bytes of the environment: of this log, and of all others in it. */
  long bytes() {
    return shared.bytes();
  }

  @Override
  public void close() {
    refuse();
    shared.leave();
  }
}
