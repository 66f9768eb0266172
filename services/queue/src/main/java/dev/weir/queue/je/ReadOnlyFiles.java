package dev.weir.queue.je;

import static dev.weir.queue.QueueException.Reason.DIRECTORY_UNUSABLE;
import static dev.weir.queue.QueueException.Reason.STORE_FAILED;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DbInternal;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentNotFoundException;
import com.sleepycat.je.cleaner.FileSummary;
import dev.weir.queue.QueueException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The JE environment of a closed directory, opened read-only. What a crash left is recovered in
 * memory only. A damaged record makes JE close the environment; it is then opened anew. One thread.
 */
public final class ReadOnlyFiles implements AutoCloseable {
  private final Path directory;
  private final ReadableLog log;
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
    if (new SalvageFiles(directory).isUnfinished()) {
      throw new QueueException(
          STORE_FAILED,
          "the repair of directory "
              + directory
              + " was interrupted: open its store or compact it");
    }
    ReadableLog log;
    try {
      // JE would fail too, but leave two threads behind.
      if (LogFiles.of(directory).isEmpty()) {
        throw noLog(directory, null);
      }
      log = ReadableLog.of(directory);
    } catch (IOException e) {
      throw StoreDirectory.unreadable(directory, e);
    }
    ReadOnlyFiles files = new ReadOnlyFiles(directory, log);
    try {
      files.open();
    } catch (RuntimeException | Error e) {
      log.close();
      throw e;
    }
    return files;
  }

  private void open() {
    try {
      environment = new Environment(log.directory().toFile(), JeConfig.readOnlyEnvironment());
      tables = new OpenTables(new JeRecords.Source(environment, JeConfig.readOnlyDatabase()));
    } catch (EnvironmentNotFoundException e) {
      throw noLog(directory, e);
    } catch (DatabaseException | IllegalStateException | IllegalArgumentException e) {
      throw new QueueException(
          STORE_FAILED,
          "the store in " + directory + " cannot be opened: " + JeFiles.firstLine(e),
          e);
    }
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
      Table table, String queue, byte[] from, Predicate<LogPosition> unreadable) {
    return new RecordScan(this, table, queue, from, unreadable);
  }

  /** Whether a table has a key, whatever the state of its value. */
  public boolean contains(Table table, String queue, byte[] key) {
    DatabaseEntry none = new DatabaseEntry();
    none.setPartial(0, 0, true);
    return tables.get(table, queue).get(new DatabaseEntry(key), none);
  }

  /** What the databases hold, by the numbers that the log names them with. */
  public Map<Long, LogRecords.Source> databases() {
    Map<Long, LogRecords.Source> databases = new HashMap<>();
    for (String name : environment.getDatabaseNames()) {
      Table table = Table.of(name);
      String queue = table == null ? null : table.queueOf(name);
      try (Database database = environment.openDatabase(null, name, JeConfig.readOnlyDatabase())) {
        long id = DbInternal.getDbImpl(database).getId().getId();
        databases.put(id, new LogRecords.Source(table, queue));
      }
    }
    return databases;
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
    tables.closeAll();
    JeFiles.closeQuietly(environment);
  }
}
