package dev.weir.queue.je;

import static dev.weir.queue.QueueException.Reason.DIRECTORY_IN_USE;
import static dev.weir.queue.QueueException.Reason.DISK_FULL;
import static dev.weir.queue.QueueException.Reason.STORE_FAILED;

import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DiskLimitException;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentLockedException;
import com.sleepycat.je.utilint.DbLsn;
import dev.weir.queue.Durability;
import dev.weir.queue.Progress;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.StoreStats;
import dev.weir.queue.segment.Segments;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Berkeley DB JE environment of a store in use: opened, closed and, when it has become invalid,
 * opened anew. Only threads of the store call it, which nobody interrupts: an interrupt inside JE
 * makes the environment invalid. The simulation of the queue replaces it by files in memory.
 */
public class JeFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JeFiles.class);
  private static final byte[] PROBE = "probe".getBytes(StandardCharsets.UTF_8);

  static final String META = "weir.meta";
  private static final String FULL = "the disk is full: free some space and try again";

  /** No sync has failed: larger than the number of any log file. */
  private static final long SYNCED = Long.MAX_VALUE;

  private final QueueStoreOptions options;
  private final LogRepair repair;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile Environment environment;
  private volatile OpenTables tables;
  private volatile Records meta;
  private volatile LogFiles.Sync sync;
  private final LogMark mark;
  private final LogFiles.Usage files = new LogFiles.Usage();
  private final Segments segments;

  private volatile boolean shortOfRoom;

  /** True once the directory was found to be deleted. */
  private volatile boolean gone;

  /** Number of the log file whose sync failed, until the environment is opened anew. */
  private volatile long unsyncedFrom = SYNCED;

  public JeFiles(QueueStoreOptions options) {
    this(options, StoreDirectory.segments(options));
  }

  JeFiles(QueueStoreOptions options, Segments segments) {
    this.options = options;
    this.segments = segments;
    this.repair = new LogRepair(options);
    this.mark = new LogMark(options.getDirectory());
  }

  /**
   * Opens the environment; a damaged log is repaired first.
   *
   * @throws QueueException {@code DIRECTORY_IN_USE}, {@code DISK_FULL} or {@code STORE_FAILED}
   */
  public void open() {
    repair.check();
    try {
      repair.finish();
      if (!repair.noteEnd()) {
        openEnvironment();
        return;
      }
    } catch (QueueException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // JE that is interrupted while it opens fails with any exception.
      closeAll();
      if (!repair.noteUnopened(e)) {
        throw cannotOpen(e);
      }
    }
    repair.run();
    try {
      openEnvironment();
    } catch (DatabaseException | IOException | UncheckedIOException e) {
      closeAll();
      throw cannotOpen(e);
    }
  }

  private void openEnvironment() throws IOException {
    Path directory = options.getDirectory();
    JeLogTail.trim(directory);
    boolean closed = LogMark.isClosed(directory);
    LogMark.Content last = LogMark.read(directory);
    LogMark.rewriteEnd(directory, unsyncedFrom);
    try {
      shortOfRoom = !hasRoom();
      environment = JeConfig.open(directory, JeConfig.environment(options, !shortOfRoom));
      Records.Source source = new JeRecords.Source(environment, JeConfig.database());
      tables = new OpenTables(source, segments);
      boolean isWhole = !repair.nameCut(tables) && last != null && !last.repaired();
      tables.beginSegments(StoreDirectory.hasSegments(directory), closed, isWhole);
      meta = source.open(META);
      mark.begin(environment, last);
      QueueTables.dropUnwritten(this, closed, last);
      sync = new LogFiles.Sync(directory);
      unsyncedFrom = SYNCED;
    } catch (EnvironmentLockedException e) {
      throw new QueueException(
          DIRECTORY_IN_USE, "directory " + directory + " is in use by another process", e);
    }
  }

  private QueueException cannotOpen(Exception e) {
    return FileObstacle.cannotOpen(options.getDirectory(), e, reason(e));
  }

  /** Whether a failure comes from JE, or from using a store that is not open. */
  public static boolean isStoreFailure(Throwable failure) {
    return failure instanceof DatabaseException
        || failure instanceof UncheckedIOException
        || failure instanceof IllegalStateException;
  }

  /** Runs work; what JE throws becomes a {@link QueueException} of one line. */
  public <V> V call(Supplier<V> work) {
    try {
      return work.get();
    } catch (DatabaseException | IllegalStateException | UncheckedIOException e) {
      throw new QueueException(
          reason(e), "the store in " + options.getDirectory() + " failed: " + firstLine(e), e);
    }
  }

  /** The reason that a failure of JE is reported with. */
  public Reason reason(Throwable failure) {
    return failure instanceof DiskLimitException || !hasRoom() ? DISK_FULL : STORE_FAILED;
  }

  /** The tables of the open environment; between {@link #beginUse} and {@link #endUse}. */
  public OpenTables tables() {
    current();
    return tables;
  }

  /** Hands everything committed to the operating system, as the next {@link #force} needs it. */
  public void handOver() {
    current().flushLog(false);
  }

  public final QueueStoreOptions options() {
    return options;
  }

  /** Where large packets are. */
  public final Segments segments() {
    return segments;
  }

  /**
   * Forces to the device what was committed to the operating system, while transactions commit. A
   * failure makes the environment invalid: what the device has is not known then.
   *
   * @param withSegments false for the log alone. It may name packets then that the device has not,
   *     so it is known to be forced no further than before
   */
  public void force(boolean withSegments) {
    requireSyncable();
    long handed = mark.handed();
    try {
      // What the log names is on the device before the log.
      if (withSegments) {
        segments.force();
      }
      sync.force(DbLsn.getFileNumber(LogMark.end(current())));
    } catch (IOException e) {
      unsyncedFrom = Math.min(unsyncedFrom, sync.number());
      throw new UncheckedIOException(e);
    }
    // A sync of JE's own may have failed meanwhile.
    requireSyncable();
    if (withSegments) {
      mark.synced(handed);
    }
  }

  /** After a failed sync the next one succeeds: the system takes the lost pages for written. */
  private void requireSyncable() {
    current();
    if (!isValid()) {
      throw new IllegalStateException(
          "the store in " + options.getDirectory() + " has to be opened anew after a failure");
    }
  }

  /** The open environment; another one after {@link #reopen()}. */
  Environment current() {
    Environment open = environment;
    repair.check();
    if (open == null) {
      throw new IllegalStateException("the store in " + options.getDirectory() + " is not open");
    }
    return open;
  }

  /** Keeps the environment open between this call and {@link #endUse()}. */
  public void beginUse() {
    lock.readLock().lock();
  }

  public void endUse() {
    lock.readLock().unlock();
  }

  Records meta() {
    return meta;
  }

  /** Begins a transaction; between {@link #beginUse} and {@link #endUse}. */
  public StoreTransaction begin() {
    return new StoreTransaction(current(), mark, segments);
  }

  /** See {@link LogMark#writeLate}. */
  public long writeMark() {
    return mark.writeLate();
  }

  public boolean isValid() {
    Environment open = environment;
    return open != null && !gone && unsyncedFrom == SYNCED && open.isValid();
  }

  /** Opens the environment anew from its files if it is invalid. */
  public void reopen() {
    lock.writeLock().lock();
    try {
      if (isValid()) {
        return;
      }
      if (!LogFiles.exist(options.getDirectory())) {
        throw LogRepair.logIsGone(options.getDirectory(), STORE_FAILED);
      }
      gone = false;
      if (environment != null) {
        repair.note(environment.getInvalidatingException());
      }
      closeAll();
      if (repair.isNeeded()) {
        repair.run();
      }
      open();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Gives space of deleted records back; true if another call gives back more. */
  public boolean reclaim(boolean copies) {
    beginUse();
    try {
      return LogCleaning.reclaim(current(), copies);
    } finally {
      endUse();
    }
  }

  /**
   * Cleans every log file that is not in full use, and deletes the cleaned files.
   *
   * @throws IOException if the directory cannot be read
   */
  public void compact(Progress progress) throws IOException {
    LogCleaning.compact(current(), options.getDirectory(), progress);
  }

  /** Lets deletes use nearly all of the disk from now on, because they make room. */
  public void allowDeletes() {
    LogCleaning.allowDeletes(current());
  }

  /** Lets JE know how much free space there is, and what may be used of it. */
  public void measureRoom() {
    beginUse();
    try {
      shortOfRoom = !hasRoom();
      LogCleaning.adapt(current(), options, !shortOfRoom);
    } finally {
      endUse();
    }
  }

  /**
   * Writes something, to see whether that is possible again.
   *
   * @throws DatabaseException if it is not
   */
  public void probe() {
    beginUse();
    try {
      DatabaseEntry entry = new DatabaseEntry(PROBE);
      QueueTables.transact(this, Durability.PROCESS, work -> meta.put(work, entry, entry));
      segments.probe();
    } finally {
      endUse();
    }
  }

  /**
   * The file system has the free space that must be left; also true when the directory turns out to
   * be gone, but then the environment is no longer {@linkplain #isValid valid}: JE would go on to
   * write to a file that has no name any more.
   */
  public boolean hasRoom() {
    File directory = options.getDirectory().toFile();
    boolean room = directory.getUsableSpace() >= options.getMinFreeBytes();
    if (!room && !directory.exists()) {
      gone = true;
    }
    return room || gone;
  }

  /**
   * True if messages may move to another table. On a full disk they may use half of what must be
   * left, {@code last} ones, of queues that can deliver nothing, three quarters of it.
   */
  public boolean hasRoomForMoves(boolean last) {
    long kept = LogCleaning.keptFreeBytes(options);
    return options.getDirectory().toFile().getUsableSpace() >= (last ? kept / 2 : kept);
  }

  /** There was no room when it was looked at last: JE's own cleaner rests. */
  public boolean isShortOfRoom() {
    return shortOfRoom;
  }

  /** Figures of the directory; any thread, an interrupted one too: nothing is opened. */
  public StoreStats stats(Reason fault) {
    return files.stats(options, fault);
  }

  /** What to tell of a failure in one line. */
  public static String firstLine(Throwable e) {
    boolean isFull = e instanceof DiskLimitException || FileObstacle.isFull(e);
    return isFull ? FULL : String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /**
   * Closes everything, whatever it says: an invalid environment complains about being closed, a
   * full disk about the last checkpoint, and the log has all that was committed in any case. False
   * if the environment complained.
   */
  private boolean closeAll() {
    if (tables != null) {
      tables.closeAll();
    }
    LogFiles.closeQuietly(meta);
    LogFiles.closeQuietly(sync);
    boolean closed = LogFiles.closeQuietly(environment);
    segments.close();
    tables = null;
    meta = null;
    sync = null;
    environment = null;
    return closed;
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      boolean wasValid = sync != null && isValid() && LogFiles.closeQuietly(segments::force);
      if (closeAll() && wasValid) {
        segments.deleteEmpty();
        mark.closed();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
