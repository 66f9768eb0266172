package dev.weir.queue.je;

import com.sleepycat.je.CacheMode;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.dbi.DbEnvPool;
import com.sleepycat.je.dbi.EnvironmentImpl;
import com.sleepycat.je.dbi.MemoryBudget;
import com.sleepycat.je.utilint.LoggerUtils;
import com.sleepycat.je.utilint.TaskCoordinator;
import dev.weir.queue.QueueStoreOptions;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;

/** The settings of JE for a store; what is not set here is JE's default. */
public final class JeConfig {
  private static final long CHECKPOINT_BYTES = 4 << 20;
  private static final int LOG_BUFFERS = 3;

  private static final long MIN_LOG_FILE_BYTES = 1 << 20;
  private static final long COPY_FILE_BYTES = 64 << 20;
  private static final long MAX_READ_CACHE_BYTES = 64L << 20;

  private JeConfig() {}

  /**
   * What all environments that are written have in common.
   *
   * @param logBufferBytes size of each of JE's three log buffers
   * @param checkpointBytes how much is written between two checkpoints
   */
  public static EnvironmentConfig writable(
      long cacheBytes, long logFileBytes, long logBufferBytes, long checkpointBytes) {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setAllowCreate(true).setTransactional(true).setCacheSize(cacheBytes);
    config.setConfigParam(EnvironmentConfig.LOG_FILE_MAX, text(logFileBytes));
    config.setConfigParam(EnvironmentConfig.LOG_BUFFER_SIZE, text(logBufferBytes));
    config.setConfigParam(
        EnvironmentConfig.LOG_TOTAL_BUFFER_BYTES, text(LOG_BUFFERS * logBufferBytes));
    config.setConfigParam(EnvironmentConfig.MAX_DISK, "0");
    config.setConfigParam(EnvironmentConfig.CHECKPOINTER_BYTES_INTERVAL, text(checkpointBytes));
    config.setConfigParam(EnvironmentConfig.NODE_MAX_ENTRIES, "256");
    // Without these JE reads the whole log at midnight, and writes statistics and 100 MB of its own
    // log into the directory.
    config.setConfigParam(EnvironmentConfig.ENV_RUN_VERIFIER, "false");
    config.setConfigParam(EnvironmentConfig.FILE_LOGGING_LEVEL, "SEVERE");
    config.setConfigParam(EnvironmentConfig.STATS_COLLECT, "false");
    return config;
  }

  /**
   * For a store in use.
   *
   * @param room whether the store may append
   */
  static EnvironmentConfig environment(QueueStoreOptions options, boolean room) {
    // JE copies what is in use out of a file before it deletes it. Its cleaner sometimes
    // takes a file in full use for an empty one, so there must be room for one copy.
    long logFileBytes = logFileBytes(options);
    long checkpointBytes = Math.max(CHECKPOINT_BYTES, logFileBytes);
    EnvironmentConfig config =
        writable(options.getCacheBytes(), logFileBytes, 1 << 20, checkpointBytes);
    config.setConfigParam(EnvironmentConfig.LOG_FAULT_READ_SIZE, text(64 << 10));
    LogCleaning.configure(config, options, room);
    // The files of a drained queue are deleted three intervals after the last delete.
    config.setConfigParam(EnvironmentConfig.CLEANER_WAKEUP_INTERVAL, "2 s");
    return config;
  }

  /** Size of a log file, and of a segment. */
  public static long logFileBytes(QueueStoreOptions options) {
    return Math.max(
        MIN_LOG_FILE_BYTES,
        Math.min(options.getLogFileBytes(), LogCleaning.keptFreeBytes(options)));
  }

  /** For a closed directory that is only read. */
  static EnvironmentConfig readOnlyEnvironment() {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setReadOnly(true).setTransactional(true);
    config.setCacheSize(Math.min(MAX_READ_CACHE_BYTES, Runtime.getRuntime().maxMemory() / 4));
    config.setConfigParam(EnvironmentConfig.LOG_FAULT_READ_SIZE, text(64 << 10));
    config.setConfigParam(EnvironmentConfig.ENV_RUN_VERIFIER, "false");
    config.setConfigParam(EnvironmentConfig.STATS_COLLECT, "false");
    return config;
  }

  /** For a copy of a damaged log that is only read. */
  static EnvironmentConfig copy() {
    EnvironmentConfig config = readOnlyEnvironment().setReadOnly(false).setAllowCreate(true);
    config.setConfigParam(EnvironmentConfig.LOG_FILE_MAX, text(COPY_FILE_BYTES));
    config.setConfigParam(EnvironmentConfig.FREE_DISK, text(COPY_FILE_BYTES));
    config.setConfigParam(EnvironmentConfig.MAX_DISK, "0");
    config.setConfigParam(EnvironmentConfig.NODE_MAX_ENTRIES, "256");
    config.setConfigParam(EnvironmentConfig.FILE_LOGGING_LEVEL, "SEVERE");
    return config;
  }

  private static String text(long value) {
    return Long.toString(value);
  }

  /**
   * Initializes the classes of JE that are slow at it: they ask the JVM's management for its flags,
   * and make formats of dates.
   */
  public static void preload() {
    writable(MIN_LOG_FILE_BYTES, MIN_LOG_FILE_BYTES, MIN_LOG_FILE_BYTES, CHECKPOINT_BYTES);
    LoggerUtils.getLogger(JeConfig.class);
    MemoryBudget.objectArraySize(0);
  }

  /**
   * Opens an environment; no thread is left behind if that fails or it becomes invalid.
   *
   * @throws UncheckedIOException if the directory cannot be listed, which JE itself would take for
   *     an empty directory
   */
  public static Environment open(Path directory, EnvironmentConfig config) {
    TaskCoordinator unused =
        new TaskCoordinator(Logger.getLogger(JeConfig.class.getName()), Set.of(), false);
    // Ends its thread: it coordinates nothing, and JE forgets it.
    unused.close();
    AtomicReference<EnvironmentImpl> opening = new AtomicReference<>();
    Runnable find =
        () -> {
          // Not again: who closes an environment holds JE's lock, and waits for threads that list.
          if (opening.get() == null) {
            opening.compareAndSet(null, find(directory));
          }
        };
    config.setTaskCoordinator(unused);
    config.setRecoveryProgressListener(
        (phase, done, all) -> {
          find.run();
          return true;
        });
    boolean opened = false;
    try {
      Environment environment = new Environment(new LogFiles.Home(directory, find), config);
      opened = true;
      return environment;
    } finally {
      if (!opened && opening.get() != null) {
        // JE forgets an environment that it cannot recover, and leaves two timers running.
        opening.get().requestShutdownDaemons();
      }
    }
  }

  /** The environment that JE is opening in a directory, or null. */
  private static EnvironmentImpl find(Path directory) {
    DbEnvPool pool = DbEnvPool.getInstance();
    // It gives its own values, which change under this lock.
    synchronized (pool) {
      return pool.getEnvImpls().stream()
          .filter(each -> each.getEnvironmentHome().equals(directory.toFile()))
          .findFirst()
          .orElse(null);
    }
  }

  static DatabaseConfig database() {
    return readOnlyDatabase().setReadOnly(false).setAllowCreate(true);
  }

  static DatabaseConfig readOnlyDatabase() {
    // Values leave the cache when they are written or read, because each is used once.
    return new DatabaseConfig()
        .setReadOnly(true)
        .setTransactional(true)
        .setKeyPrefixing(true)
        .setCacheMode(CacheMode.EVICT_LN);
  }
}
