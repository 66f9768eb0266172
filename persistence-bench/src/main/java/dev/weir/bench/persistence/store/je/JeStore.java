package dev.weir.bench.persistence.store.je;

import com.sleepycat.je.CacheMode;
import com.sleepycat.je.Cursor;
import com.sleepycat.je.CursorConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.RecordStore;
import dev.weir.bench.persistence.store.Shape;
import java.nio.file.Path;

/**
 * A JE environment with one database, set up for records that are written once, in order. A commit
 * is a transaction; that of a packet is its one put, and a flush of the log.
 */
final class JeStore implements RecordStore {
  private static final long CACHE_BYTES = 64L << 20;
  private static final int LOG_BUFFERS = 3;
  private static final long LOG_FILE_BYTES = 256L << 20;
  private static final long CHECKPOINT_BYTES = 256L << 20;
  private static final long FREE_DISK_BYTES = 64L << 20;

  private final LogSpec spec;
  private final boolean packets;
  private final Environment environment;
  private final Database database;
  private final byte[] keyBytes = new byte[Long.BYTES];
  private final DatabaseEntry key = new DatabaseEntry(keyBytes);
  private final DatabaseEntry data = new DatabaseEntry();
  private Transaction transaction;

  JeStore(Path directory, LogSpec spec) {
    this.spec = spec;
    this.packets = spec.shape() == Shape.PACKET;
    environment = new Environment(directory.toFile(), environmentConfig(spec));
    boolean opened = false;
    try {
      // A packet is one record, and that is whole or not there without a transaction too.
      // Payloads leave the cache as soon as they are written or read: each is used once.
      DatabaseConfig config =
          new DatabaseConfig()
              .setAllowCreate(true)
              .setTransactional(!packets)
              .setKeyPrefixing(true)
              .setCacheMode(CacheMode.EVICT_LN);
      database = environment.openDatabase(null, spec.shape().toString(), config);
      opened = true;
    } finally {
      if (!opened) {
        environment.close();
      }
    }
  }

  /** The settings of an environment whose records are written once, in order. */
  static EnvironmentConfig environmentConfig(LogSpec spec) {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setAllowCreate(true).setTransactional(true).setCacheSize(CACHE_BYTES);
    // With Flush.DISK the files are opened with O_DSYNC: the one write of a commit returns when the
    // device has it, and no second call is needed.
    config.setDurability(
        spec.flush() == Flush.NONE ? Durability.COMMIT_NO_SYNC : Durability.COMMIT_WRITE_NO_SYNC);
    set(config, EnvironmentConfig.LOG_BUFFER_SIZE, spec.commitBufferBytes());
    set(
        config,
        EnvironmentConfig.LOG_TOTAL_BUFFER_BYTES,
        (long) LOG_BUFFERS * spec.commitBufferBytes());
    set(config, EnvironmentConfig.LOG_FAULT_READ_SIZE, spec.readBufferBytes());
    set(config, EnvironmentConfig.LOG_ITERATOR_READ_SIZE, spec.readBufferBytes());
    // JE forces a file to the device when it begins the next: large files, few stalls.
    set(config, EnvironmentConfig.LOG_FILE_MAX, LOG_FILE_BYTES);
    set(config, EnvironmentConfig.CHECKPOINTER_BYTES_INTERVAL, CHECKPOINT_BYTES);
    set(config, EnvironmentConfig.FREE_DISK, FREE_DISK_BYTES);
    set(config, EnvironmentConfig.NODE_MAX_ENTRIES, 256);
    set(
        config,
        EnvironmentConfig.LOG_USE_ODSYNC,
        spec.deviceWrites() || spec.flush() == Flush.DISK);
    set(config, EnvironmentConfig.ENV_RUN_VERIFIER, false);
    set(config, EnvironmentConfig.STATS_COLLECT, false);
    return config;
  }

  private static void set(EnvironmentConfig config, String name, Object value) {
    config.setConfigParam(name, value.toString());
  }

  @Override
  public void put(long number, byte[] record, int length) {
    if (!packets && spec.perCommit() > 1 && transaction == null) {
      transaction = environment.beginTransaction(null, null);
    }
    LogSpec.putKey(keyBytes, number);
    data.setData(record, 0, length);
    // Without a transaction the put is one of its own, with the environment's durability.
    database.put(transaction, key, data);
  }

  @Override
  public void commit() {
    if (transaction != null) {
      transaction.commit();
      transaction = null;
    } else if (packets && spec.flush() != Flush.NONE) {
      // Waits for the device if the files are opened so.
      environment.flushLog(false);
    }
  }

  @Override
  public LogReader reader() {
    return new Reader(database.openCursor(null, CursorConfig.DEFAULT));
  }

  @Override
  public boolean replaces() {
    return true;
  }

  @Override
  public void close() {
    try {
      if (transaction != null) {
        transaction.abort();
      }
      database.close();
    } finally {
      environment.close();
    }
  }

  private static final class Reader implements LogReader {
    private final Cursor cursor;
    private final DatabaseEntry key = new DatabaseEntry();
    private final DatabaseEntry data = new DatabaseEntry();
    private final DatabaseEntry nothing = new DatabaseEntry();

    Reader(Cursor cursor) {
      this.cursor = cursor;
      nothing.setPartial(0, 0, true);
    }

    @Override
    public byte[] next() {
      return cursor.getNext(key, data, LockMode.DEFAULT) == OperationStatus.SUCCESS
          ? data.getData()
          : null;
    }

    @Override
    public boolean skip() {
      return cursor.getNext(key, nothing, LockMode.DEFAULT) == OperationStatus.SUCCESS;
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
