package dev.weir.cluster.log;

import com.sleepycat.je.CacheMode;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.Durability;
import com.sleepycat.je.EnvironmentConfig;

/** What JE is told about a transaction log; the rest is JE's default. */
final class JeLogConfig {
  private static final long CACHE_BYTES = 32 << 20;
  private static final long FILE_BYTES = 64 << 20;
  private static final long MIN_FREE_BYTES = 64 << 20;

  private JeLogConfig() {}

  static EnvironmentConfig environment() {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setAllowCreate(true).setTransactional(true).setCacheSize(CACHE_BYTES);
    // What must be forced says so itself.
    config.setDurability(Durability.COMMIT_NO_SYNC);
    config.setConfigParam(EnvironmentConfig.LOG_FILE_MAX, text(FILE_BYTES));
    config.setConfigParam(EnvironmentConfig.LOG_BUFFER_SIZE, text(1 << 20));
    config.setConfigParam(EnvironmentConfig.LOG_TOTAL_BUFFER_BYTES, text(3 << 20));
    config.setConfigParam(EnvironmentConfig.LOG_FAULT_READ_SIZE, text(64 << 10));
    config.setConfigParam(EnvironmentConfig.FREE_DISK, text(MIN_FREE_BYTES));
    config.setConfigParam(EnvironmentConfig.MAX_DISK, "0");
    config.setConfigParam(EnvironmentConfig.CHECKPOINTER_BYTES_INTERVAL, text(FILE_BYTES));
    config.setConfigParam(EnvironmentConfig.NODE_MAX_ENTRIES, "256");
    // The verifier reads the whole log at midnight, statistics and a diary of the cleaner fill
    // files, the latter 100 MB: none is asked.
    config.setConfigParam(EnvironmentConfig.ENV_RUN_VERIFIER, "false");
    config.setConfigParam(EnvironmentConfig.FILE_LOGGING_LEVEL, "SEVERE");
    config.setConfigParam(EnvironmentConfig.STATS_COLLECT, "false");
    return config;
  }

  private static String text(long value) {
    return Long.toString(value);
  }

  /** Of few small records that change together. */
  static DatabaseConfig meta() {
    return new DatabaseConfig().setAllowCreate(true).setTransactional(true);
  }

  /**
   * Of records that are appended: without transactions, which would cost as much as the rest of a
   * small record. A record is in JE's log at once, in the order of the calls, and what a crash
   * leaves of that log is a prefix of it; that is all an append needs.
   */
  static DatabaseConfig appended() {
    // Content leaves the cache as soon as it is written or read: each is used once.
    return new DatabaseConfig()
        .setAllowCreate(true)
        .setTransactional(false)
        .setKeyPrefixing(true)
        .setCacheMode(CacheMode.EVICT_LN);
  }
}
