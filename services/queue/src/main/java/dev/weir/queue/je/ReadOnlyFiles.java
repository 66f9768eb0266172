package dev.weir.queue.je;

import static dev.weir.queue.QueueException.Reason.DIRECTORY_UNUSABLE;
import static dev.weir.queue.QueueException.Reason.STORE_FAILED;

import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DbInternal;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentNotFoundException;
import com.sleepycat.je.cleaner.FileSummary;
import dev.weir.queue.LogFault;
import dev.weir.queue.QueueException;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.segment.SegmentDirectory;
import dev.weir.queue.segment.Segments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * The JE environment of a closed directory, opened read-only. What a crash left is recovered in
 * memory only. A damaged record makes JE close the environment; it is then opened anew. One thread.
 */
public final class ReadOnlyFiles implements AutoCloseable {
  private final Path directory;
  private ReadableLog log;
  private Environment environment;
  private OpenTables tables;

  private ReadOnlyFiles(Path directory, ReadableLog log) {
    this.directory = directory;
    this.log = log;
  }

  /**
   * Opens a directory.
   *
   * @throws QueueException {@code STORE_FAILED} if the log is damaged where it is needed to open
   *     it, {@code DIRECTORY_UNUSABLE} if there is none
   */
  public static ReadOnlyFiles open(Path directory) {
    ReadableLog log;
    try {
      checkLog(directory);
      log = ReadableLog.of(directory);
    } catch (IOException e) {
      throw StoreDirectory.unreadable(directory, e);
    }
    return open(directory, log);
  }

  /**
   * Checks that a directory holds a log, and not half of one.
   *
   * @throws QueueException as {@link #open(Path)}
   */
  static void checkLog(Path directory) throws IOException {
    if (new SalvageFiles(directory).isUnfinished()) {
      throw new QueueException(
          STORE_FAILED,
          "the repair of directory "
              + directory
              + " was interrupted: open its store or compact it");
    }
    // JE would fail too, but leave two threads behind.
    if (LogMark.isLogGone(directory)) {
      throw LogRepair.logIsGone(directory, DIRECTORY_UNUSABLE);
    }
    if (LogFiles.of(directory).isEmpty()) {
      throw noLog(directory, null);
    }
  }

  private static ReadOnlyFiles open(Path directory, ReadableLog log) {
    ReadOnlyFiles files = new ReadOnlyFiles(directory, log);
    try {
      files.open();
    } catch (QueueException e) {
      if (!files.rebuild(e.getCause())) {
        log.close();
        throw e;
      }
    } catch (RuntimeException | Error e) {
      log.close();
      throw e;
    }
    return files;
  }

  /**
   * After a failure that comes from a damaged log: reads a copy of all that the log shows from now
   * on. False if that does not help.
   *
   * @throws QueueException {@code DISK_FULL} if there is no room for the copy
   */
  public boolean rebuild(Throwable failure) {
    if (log.isRebuilt()) {
      return false;
    }
    try {
      if (!LogDamage.isReasonFor(failure, directory)) {
        return false;
      }
      closeEnvironment();
      log.close();
      log = ReadableLog.rebuilt(directory, log.endFault());
      open();
      return true;
    } catch (IOException e) {
      throw StoreDirectory.unreadable(directory, e);
    }
  }

  /** Whether this is a copy of what the log shows, because JE cannot read the log itself. */
  public boolean isRebuilt() {
    return log.isRebuilt();
  }

  /**
   * What opening the log has shown of its damage, in one line; null if it has shown none. Only a
   * check of every byte finds all.
   */
  public String damage() {
    LogFault fault = log.endFault();
    if (fault != null) {
      return fault.file() + " offset " + fault.offset() + ": " + fault.what();
    }
    try {
      LogMark.Content mark = LogMark.read(directory);
      if (LogMark.isShorter(directory, mark)) {
        return "the log had reached "
            + LogFiles.name(mark.file())
            + " offset "
            + mark.offset()
            + " and ends before it";
      }
    } catch (IOException e) {
      throw StoreDirectory.unreadable(directory, e);
    }
    return log.isRebuilt() ? "the log is damaged: what its entries show is read" : null;
  }

  private void open() {
    try {
      environment = JeConfig.open(log.directory(), JeConfig.readOnlyEnvironment());
      Segments segments = new Segments(new SegmentDirectory(directory), 0);
      segments.beginReading();
      tables =
          new OpenTables(new JeRecords.Source(environment, JeConfig.readOnlyDatabase()), segments);
    } catch (EnvironmentNotFoundException e) {
      throw noLog(directory, e);
    } catch (DatabaseException
        | IllegalStateException
        | IllegalArgumentException
        | UncheckedIOException e) {
      FileObstacle obstacle = FileObstacle.of(e);
      if (obstacle != null) {
        throw unreadable(obstacle, e);
      }
      throw new QueueException(
          STORE_FAILED,
          "the store in " + directory + " cannot be opened: " + JeFiles.firstLine(e),
          e);
    }
  }

  /** What is thrown when the system does not let a file be read: no damage. */
  QueueException unreadable(FileObstacle obstacle, Throwable cause) {
    return new QueueException(
        DIRECTORY_UNUSABLE,
        "directory " + directory + " cannot be read: " + obstacle.text(),
        cause);
  }

  private static QueueException noLog(Path directory, Throwable cause) {
    return new QueueException(
        DIRECTORY_UNUSABLE,
        "directory " + directory + " holds no store: it has no log file",
        cause);
  }

  /** The tables; other objects after {@link #reopenIfInvalid}. */
  public OpenTables tables() {
    return tables;
  }

  /**
   * Scans a table.
   *
   * @param from the first key that is wanted, or an empty array for all
   * @param unreadable true for positions in the log that are known to be damaged; their values are
   *     not tried, which saves opening the environment anew for each of them
   */
  public RecordScan scan(
      Table table, String queue, byte[] from, Predicate<LogScan.Position> unreadable) {
    return new RecordScan(this, table, queue, from, unreadable);
  }

  /** Sequence before which the delayed messages of a queue are due; 0 if that cannot be read. */
  public long releasedBefore(String queue) {
    try {
      return tables.releasedBefore(queue);
    } catch (RuntimeException e) {
      if (!JeFiles.isStoreFailure(e)) {
        throw e;
      }
      reopenIfInvalid();
      return 0;
    }
  }

  /** Bytes of the log that are in use; {@code Environment.getStats} does not know them yet. */
  public long liveBytes() {
    long live = 0;
    for (FileSummary file :
        DbInternal.getNonNullEnvImpl(environment)
            .getUtilizationProfile()
            .getFileSummaryMap(true)
            .values()) {
      live += file.totalSize - file.getObsoleteSize();
    }
    for (String queue : tables.queues()) {
      long[] inSegments = {0};
      tables.forEachKey(
          Table.PACKETS,
          queue,
          key -> {
            PacketKey packet = PacketKey.of(key);
            inSegments[0] += packet.segment() == 0 ? 0 : packet.bytes();
          });
      live += inSegments[0];
    }
    return live;
  }

  /** Opens the environment anew if a damaged record has made it invalid. */
  public void reopenIfInvalid() {
    if (!environment.isValid()) {
      closeEnvironment();
      open();
    }
  }

  @Override
  public void close() {
    closeEnvironment();
    log.close();
  }

  private void closeEnvironment() {
    if (tables != null) {
      tables.closeAll();
      tables.segments().close();
    }
    LogFiles.closeQuietly(environment);
  }
}
