package dev.weir.cluster.log;

import com.sleepycat.je.CacheMode;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.Durability;
import com.sleepycat.je.EnvironmentConfig;

/** The configuration of JE for a transaction log. */
final class JeLogConfig {
  private static final long CACHE_BYTES = 32 << 20;
  private static final long FILE_BYTES = 64 << 20;
  private static final long MIN_FREE_BYTES = 64 << 20;

  private JeLogConfig() {}

  static EnvironmentConfig environment() {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setAllowCreate(true).setTransactional(true).setCacheSize(CACHE_BYTES);
    // Writes that must be forced pass their own durability.
    config.setDurability(Durability.COMMIT_NO_SYNC);
    config.setConfigParam(EnvironmentConfig.LOG_FILE_MAX, text(FILE_BYTES));
    config.setConfigParam(EnvironmentConfig.LOG_BUFFER_SIZE, text(1 << 20));
    config.setConfigParam(EnvironmentConfig.LOG_TOTAL_BUFFER_BYTES, text(3 << 20));
    config.setConfigParam(EnvironmentConfig.LOG_FAULT_READ_SIZE, text(64 << 10));
    config.setConfigParam(EnvironmentConfig.FREE_DISK, text(MIN_FREE_BYTES));
    config.setConfigParam(EnvironmentConfig.MAX_DISK, "0");
    config.setConfigParam(EnvironmentConfig.CHECKPOINTER_BYTES_INTERVAL, text(FILE_BYTES));
    config.setConfigParam(EnvironmentConfig.NODE_MAX_ENTRIES, "256");
    // JE's verifier would read the whole log every midnight; statistics and the cleaner's log would
    // fill files of 100 MB.
    config.setConfigParam(EnvironmentConfig.ENV_RUN_VERIFIER, "false");
    config.setConfigParam(EnvironmentConfig.FILE_LOGGING_LEVEL, "SEVERE");
    config.setConfigParam(EnvironmentConfig.STATS_COLLECT, "false");
    return config;
  }

  private static String text(long value) {
    return Long.toString(value);
  }

  /** The configuration of a table with few small records. */
  static DatabaseConfig meta() {
    return new DatabaseConfig().setAllowCreate(true).setTransactional(true);
  }

  /**
   * The configuration of a table to which records are appended. It has no transactions, which would
   * double the cost of a small record. JE's log gets the records in the order of the calls, and a
   * crash leaves a prefix of it, which is all that appending needs.
   */
  static DatabaseConfig appended() {
    // Each record is used once, so it leaves the cache as soon as it is written or read.
    return new DatabaseConfig()
        .setAllowCreate(true)
        .setTransactional(false)
        .setKeyPrefixing(true)
        .setCacheMode(CacheMode.EVICT_LN);
  }
}
