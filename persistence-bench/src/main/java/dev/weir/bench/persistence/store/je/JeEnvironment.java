package dev.weir.bench.persistence.store.je;

import com.sleepycat.je.CacheMode;
import com.sleepycat.je.Cursor;
import com.sleepycat.je.CursorConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Shape;
import java.io.Closeable;
import java.nio.file.Path;

/** A JE environment with one database, set up for records that are written once, in order. */
final class JeEnvironment implements Closeable {
  private static final long CACHE_BYTES = 64L << 20;
  private static final int LOG_BUFFERS = 3;
  private static final long LOG_FILE_BYTES = 256L << 20;
  private static final long CHECKPOINT_BYTES = 256L << 20;
  private static final long FREE_DISK_BYTES = 64L << 20;

  private final Environment environment;
  private final Database database;

  JeEnvironment(Path directory, LogSpec spec) {
    environment = new Environment(directory.toFile(), environmentConfig(spec));
    boolean opened = false;
    try {
      database = environment.openDatabase(null, spec.shape().toString(), databaseConfig(spec));
      opened = true;
    } finally {
      if (!opened) {
        environment.close();
      }
    }
  }

  private static EnvironmentConfig environmentConfig(LogSpec spec) {
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
    boolean deviceWrites = spec.deviceWrites() || spec.flush() == Flush.DISK;
    config.setConfigParam(EnvironmentConfig.LOG_USE_ODSYNC, Boolean.toString(deviceWrites));
    config.setConfigParam(EnvironmentConfig.ENV_RUN_VERIFIER, "false");
    config.setConfigParam(EnvironmentConfig.STATS_COLLECT, "false");
    return config;
  }

  private static void set(EnvironmentConfig config, String name, long value) {
    config.setConfigParam(name, Long.toString(value));
  }

  private static DatabaseConfig databaseConfig(LogSpec spec) {
    // A packet is one record, and that is whole or not there without a transaction too.
    boolean transactional = spec.shape() != Shape.PACKET;
    // Payloads leave the cache as soon as they are written or read: each is used once.
    return new DatabaseConfig()
        .setAllowCreate(true)
        .setTransactional(transactional)
        .setKeyPrefixing(true)
        .setCacheMode(CacheMode.EVICT_LN);
  }

  Environment environment() {
    return environment;
  }

  Database database() {
    return database;
  }

  /** Writes what was put to the log file, which waits for the device if it is opened so. */
  void flush() {
    environment.flushLog(false);
  }

  Cursor cursor() {
    return database.openCursor(null, CursorConfig.DEFAULT);
  }

  @Override
  public void close() {
    try {
      database.close();
    } finally {
      environment.close();
    }
  }
}
