package dev.weir.queue.offline;

import static dev.weir.queue.QueueException.Reason.DIRECTORY_UNUSABLE;
import static dev.weir.queue.QueueException.Reason.STORE_FAILED;

import com.sleepycat.je.CacheMode;
import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DbInternal;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.EnvironmentNotFoundException;
import com.sleepycat.je.cleaner.FileSummary;
import com.sleepycat.je.dbi.CursorImpl;
import dev.weir.queue.QueueDirectory;
import dev.weir.queue.QueueException;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.SalvageFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The JE environment of a closed directory, opened read-only; opened anew when it is invalid. */
public final class OfflineFiles implements AutoCloseable {
  private static final long MAX_CACHE_BYTES = 64L << 20;

  private final Path directory;
  private final Map<String, JeFiles.Tables> tables = new HashMap<>();
  private final Map<String, Database> extras = new HashMap<>();
  private final CutLog log;
  private Environment environment;

  private OfflineFiles(Path directory, CutLog log) {
    this.directory = directory;
    this.log = log;
  }

  /**
   * @throws QueueException {@code STORE_FAILED} if the log is damaged where it is needed to open
   *     it, {@code DIRECTORY_UNUSABLE} if there is none
   */
  public static OfflineFiles open(Path directory) {
    if (new SalvageFiles(directory).isUnfinished()) {
      throw new QueueException(
          STORE_FAILED,
          "the repair of directory "
              + directory
              + " was interrupted: open its store or compact it");
    }
    CutLog log;
    try {
      // JE sees that too, but leaves two threads behind.
      if (LogFiles.of(directory).isEmpty()) {
        throw noLog(directory, null);
      }
      log = CutLog.of(directory);
    } catch (IOException e) {
      throw QueueDirectory.unreadable(directory, e);
    }
    OfflineFiles files = new OfflineFiles(directory, log);
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
      environment = new Environment(log.directory().toFile(), config());
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

  private static EnvironmentConfig config() {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setReadOnly(true).setTransactional(true);
    config.setCacheSize(Math.min(MAX_CACHE_BYTES, Runtime.getRuntime().maxMemory() / 4));
    config.setConfigParam(EnvironmentConfig.LOG_FAULT_READ_SIZE, Integer.toString(64 << 10));
    config.setConfigParam(EnvironmentConfig.ENV_RUN_VERIFIER, "false");
    config.setConfigParam(EnvironmentConfig.STATS_COLLECT, "false");
    return config;
  }

  /** Names of the queues, in order. */
  public List<String> queues() {
    return environment.getDatabaseNames().stream()
        .filter(name -> name.startsWith(JeFiles.PACKETS))
        .map(name -> name.substring(JeFiles.PACKETS.length()))
        .sorted()
        .toList();
  }

  public JeFiles.Tables tables(String queue) {
    return tables.computeIfAbsent(
        queue,
        name ->
            new JeFiles.Tables(
                openDatabase(JeFiles.PACKETS + name), openDatabase(JeFiles.PROGRESS + name)));
  }

  public boolean has(JeFiles.Extra extra, String queue) {
    return environment.getDatabaseNames().contains(extra.tableOf(queue));
  }

  /** A table that {@linkplain #has is there}. */
  public Database extra(JeFiles.Extra extra, String queue) {
    return extras.computeIfAbsent(extra.tableOf(queue), this::openDatabase);
  }

  /** A table that is there, or null. */
  public Database extraOrNull(JeFiles.Extra extra, String queue) {
    return has(extra, queue) ? extra(extra, queue) : null;
  }

  /** What JE calls all other databases. */
  public Set<Long> idsOfOthers(Set<Long> known) {
    Set<Long> others = new HashSet<>();
    for (String name : environment.getDatabaseNames()) {
      try (Database database = openDatabase(name)) {
        others.add(idOf(database));
      }
    }
    others.removeAll(known);
    return others;
  }

  private Database openDatabase(String name) {
    return environment.openDatabase(
        null,
        name,
        new DatabaseConfig()
            .setReadOnly(true)
            .setTransactional(true)
            .setKeyPrefixing(true)
            .setCacheMode(CacheMode.EVICT_LN));
  }

  /** What JE calls a database in its log. */
  public static long idOf(Database database) {
    return DbInternal.getDbImpl(database).getId().getId();
  }

  /** Where the record lies that the cursor is at. */
  static long lsnOf(Cursor cursor) {
    return CursorImpl.getCurrentLsn(DbInternal.getCursorImpl(cursor));
  }

  /** Bytes of the log that are not obsolete; {@code Environment.getStats} does not know yet. */
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

  /** Opens the files anew if a damaged record has made the environment invalid. */
  public void revive() {
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
    tables.values().forEach(open -> JeFiles.closeQuietly(open.packets()));
    tables.values().forEach(open -> JeFiles.closeQuietly(open.progress()));
    tables.clear();
    extras.values().forEach(JeFiles::closeQuietly);
    extras.clear();
    JeFiles.closeQuietly(environment);
  }
}
