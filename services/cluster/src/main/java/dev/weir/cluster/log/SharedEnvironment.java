package dev.weir.cluster.log;

import static dev.weir.queue.QueueException.Reason.DIRECTORY_IN_USE;
import static dev.weir.queue.QueueException.Reason.DIRECTORY_UNUSABLE;

import com.sleepycat.je.CheckpointConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DatabaseNotFoundException;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentLockedException;
import com.sleepycat.je.Transaction;
import dev.weir.queue.QueueException;
import dev.weir.queue.je.DirectoryLock;
import dev.weir.queue.je.JeConfig;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.JeLogTail;
import dev.weir.queue.je.LogFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory with a JE environment, in which the logs of one or of many groups have their tables.
 * The last user that leaves closes it. Any thread. Failures of JE are passed on; after a failure
 * that concerns all tables no log uses the environment any more.
 */
final class SharedEnvironment {
  private static final Logger LOG = LoggerFactory.getLogger(SharedEnvironment.class);

  /**
   * A file that is there while pages of the log may not be on the device. Its content is the number
   * of the first file of the log whose sync has failed, if that was one of ours.
   */
  private static final String UNSYNCED = "weir.unsynced";

  private static final long SYNCED = Long.MAX_VALUE;

  /** No checkpoint if less was written since the last one. */
  private static final CheckpointConfig LATELY = new CheckpointConfig().setKBytes(8 << 10);

  /**
   * About so many bytes of records are put between two syncs. JE syncs a file itself when it is
   * full and at a checkpoint, and holds up whoever writes for as long as that takes.
   */
  private static final long SYNC_BYTES = 4 << 20;

  private final Path directory;
  private final DirectoryLock lock;
  private final Environment environment;
  private final LogFiles.Sync sync;
  private final LogTrimmer trimmer;
  private final LogTrimmer.Job checkpoints;
  private final LogTrimmer.Job syncs;

  /** What was put since {@link #syncs} was woken last. */
  private final AtomicLong unsyncedBytes = new AtomicLong();

  /** Names of all tables. JE would read all of them for each look. */
  private final NavigableSet<String> names = new TreeSet<>();

  /** Logs that are open; -1 once the environment is closed. */
  private int users;

  /** The first failure that concerns all tables; null if there was none. */
  private volatile LogException failure;

  /** How often a log has put records. */
  private final AtomicLong puts = new AtomicLong();

  /** The puts of which the operating system has all. */
  private final AtomicLong written = new AtomicLong();

  /** The puts of which the device has all. */
  private final AtomicLong forced = new AtomicLong();

  /** Number of the first file whose sync has failed. */
  private volatile long unsyncedFrom = SYNCED;

  /**
   * Opens the environment, and creates the directory if it is absent. It has no user yet.
   *
   * @throws LogException if the directory cannot be used or is in use
   */
  SharedEnvironment(Path directory) {
    this.directory = directory;
    this.lock = lock(directory);
    Environment begun = null;
    boolean opened = false;
    try {
      rewriteUnsynced();
      JeLogTail.trim(directory);
      begun = JeConfig.open(directory, JeLogConfig.environment());
      environment = begun;
      names.addAll(environment.getDatabaseNames());
      sync = new LogFiles.Sync(directory);
      opened = true;
    } catch (EnvironmentLockedException e) {
      String message = "directory " + directory + " is in use by another process";
      throw new LogException(message, new QueueException(DIRECTORY_IN_USE, message, e));
    } catch (DatabaseException | IOException | UncheckedIOException e) {
      String message =
          "cannot open the log in "
              + directory
              + ": "
              + JeFiles.firstLine(e)
              + "; if that stays so, empty the directory: the replica will fetch what it needs from"
              + " the others";
      // The cause tells a program to end with the exit code of an unusable directory.
      throw new LogException(message, new QueueException(DIRECTORY_UNUSABLE, message, e));
    } finally {
      if (!opened) {
        LogFiles.closeQuietly(begun);
        LogFiles.closeQuietly(lock);
      }
    }
    trimmer = new LogTrimmer("weir-log-" + directory.getFileName());
    checkpoints = trimmer.job(this::makeCheckpoint);
    syncs = trimmer.job(this::sync);
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
  void noteUnsynced() {
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

  LogTrimmer trimmer() {
    return trimmer;
  }

  /** Counts one more user; false if the environment is closed. */
  synchronized boolean use() {
    if (users < 0) {
      return false;
    }
    users++;
    return true;
  }

  /** Counts one user less; the last one closes the environment. */
  synchronized void leave() {
    if (--users == 0) {
      users = -1;
      close();
    }
  }

  /** The first failure that concerns all tables; null if there was none. */
  LogException failure() {
    return failure;
  }

  /** Records a failure that concerns all tables. */
  synchronized void fail(LogException first) {
    if (failure == null) {
      failure = first;
    }
  }

  /** Whether JE has given the environment up. */
  boolean isValid() {
    return environment.isValid();
  }

  /** Why JE has given the environment up. */
  DatabaseException invalidating() {
    return environment.getInvalidatingException();
  }

  Database open(String name, DatabaseConfig config) {
    Database database = environment.openDatabase(null, name, config);
    synchronized (names) {
      names.add(name);
    }
    return database;
  }

  /** Names of the tables that begin with this. */
  List<String> names(String prefix) {
    synchronized (names) {
      return new ArrayList<>(names.subSet(prefix, prefix + Character.MAX_VALUE));
    }
  }

  /**
   * Removes a table, which must not be open. After a failure of the disk JE may know the name of a
   * table that it has removed, and can neither remove nor create a table of that name any more.
   *
   * @throws DatabaseNotFoundException then; the name stays known
   */
  void remove(String name) {
    environment.removeDatabase(null, name);
    synchronized (names) {
      names.remove(name);
    }
  }

  Transaction begin() {
    return environment.beginTransaction(null, null);
  }

  /** Counts records that were put; returns their number, for {@link #write} and {@link #force}. */
  long put(int bytes) {
    count(bytes);
    return puts.incrementAndGet();
  }

  /** Counts bytes of records that get no number: nobody waits until they are written. */
  void count(int bytes) {
    if (unsyncedBytes.addAndGet(bytes) >= SYNC_BYTES) {
      unsyncedBytes.set(0);
      syncs.wake();
    }
  }

  /**
   * Writes buffered records of all tables to the operating system, unless that was done since those
   * of this number were put.
   */
  void write(long number) {
    if (written.get() < number) {
      long all = puts.get();
      environment.flushLog(false);
      written.accumulateAndGet(all, Math::max);
    }
  }

  /**
   * Forces what was written to the device, unless that was done since the records of this number
   * were written. JE's own sync is not used for that: of the threads that wait for one, JE tells
   * only the first that it has failed.
   */
  void force(long number) throws IOException {
    synchronized (forced) {
      // Whoever waited for the lock may find that it was done for it too.
      if (forced.get() >= number) {
        return;
      }
      long all = written.get();
      try {
        sync.force();
        forced.set(all);
      } catch (IOException e) {
        unsyncedFrom = Math.min(unsyncedFrom, sync.number());
        noteUnsynced();
        throw e;
      }
    }
  }

  /**
   * Has a start read less of the log, soon: a checkpoint forces what all groups have written. JE
   * does so by itself too, after each {@link JeLogConfig#CHECKPOINT_BYTES}.
   */
  void checkpoint() {
    checkpoints.wake();
  }

  private boolean sync() {
    try {
      write(put(0));
      force(written.get());
    } catch (DatabaseException | IllegalStateException e) {
      // Whoever writes next is told why the disk or the environment fails.
      LOG.debug("no sync in {}", directory, e);
    } catch (IOException e) {
      // Every later sync fails too, so the groups had better not go on until one of them needs it.
      String message = "the log in " + directory + " cannot be forced to the device: " + e;
      LOG.warn("{}", message);
      fail(new LogException(message + "; start the replica again", e));
    }
    return false;
  }

  private boolean makeCheckpoint() {
    try {
      environment.checkpoint(LATELY);
    } catch (DatabaseException | IllegalStateException e) {
      // Nothing depends on it; whoever writes next is told why the disk or the environment fails.
      LOG.debug("no checkpoint in {}", directory, e);
    }
    return false;
  }

  /** Bytes of the files of all tables. */
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
   * Closes the environment. Failures of JE are ignored: a failed environment and a full disk cause
   * some, and everything that was forced is on disk already.
   */
  private void close() {
    trimmer.end();
    noteUnsynced();
    LogFiles.closeQuietly(sync);
    LogFiles.closeQuietly(environment);
    LogFiles.closeQuietly(lock);
  }
}
