package dev.weir.cluster.log;

import com.sleepycat.je.CacheMode;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.Durability;
import com.sleepycat.je.EnvironmentConfig;
import dev.weir.queue.je.JeConfig;

/** The configuration of JE for a transaction log. */
final class JeLogConfig {
  private static final long CACHE_BYTES = 32 << 20;
  private static final long FILE_BYTES = 64 << 20;
  static final long CHECKPOINT_BYTES = 64 << 20;
  private static final long MIN_FREE_BYTES = 64 << 20;

  private JeLogConfig() {}

  static EnvironmentConfig environment() {
    EnvironmentConfig config =
        JeConfig.writable(CACHE_BYTES, FILE_BYTES, 1 << 20, CHECKPOINT_BYTES);
    // Writes that must be forced pass their own durability.
    config.setDurability(Durability.COMMIT_NO_SYNC);
    config.setConfigParam(EnvironmentConfig.LOG_FAULT_READ_SIZE, text(64 << 10));
    // Recovery reads the log from front to back some times.
    config.setConfigParam(EnvironmentConfig.LOG_ITERATOR_READ_SIZE, text(256 << 10));
    config.setConfigParam(EnvironmentConfig.FREE_DISK, text(MIN_FREE_BYTES));
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
