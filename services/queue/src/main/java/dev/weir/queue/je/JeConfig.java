package dev.weir.queue.je;

import com.sleepycat.je.CacheMode;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.EnvironmentConfig;
import dev.weir.queue.QueueStoreOptions;

/** What JE is told about a store; the rest is JE's default. */
final class JeConfig {
  private static final long CHECKPOINT_BYTES = 20 << 20;

  private JeConfig() {}

  static EnvironmentConfig environment(QueueStoreOptions options) {
    long checkpointBytes = Math.max(CHECKPOINT_BYTES, options.getLogFileBytes());
    EnvironmentConfig config = new EnvironmentConfig();
    config.setAllowCreate(true).setTransactional(true).setCacheSize(options.getCacheBytes());
    config.setConfigParam(EnvironmentConfig.LOG_FILE_MAX, text(options.getLogFileBytes()));
    config.setConfigParam(EnvironmentConfig.LOG_BUFFER_SIZE, text(1 << 20));
    config.setConfigParam(EnvironmentConfig.LOG_TOTAL_BUFFER_BYTES, text(3 << 20));
    config.setConfigParam(EnvironmentConfig.LOG_FAULT_READ_SIZE, text(64 << 10));
    config.setConfigParam(EnvironmentConfig.FREE_DISK, text(options.getMinFreeBytes() / 2));
    config.setConfigParam(EnvironmentConfig.MAX_DISK, "0");
    config.setConfigParam(EnvironmentConfig.CHECKPOINTER_BYTES_INTERVAL, text(checkpointBytes));
    config.setConfigParam(EnvironmentConfig.NODE_MAX_ENTRIES, "256");
    // After the last delete it takes three of these until the files of a drained queue are gone.
    config.setConfigParam(EnvironmentConfig.CLEANER_WAKEUP_INTERVAL, "2 s");
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

  static DatabaseConfig database() {
    // Payloads leave the cache as soon as they are written or read: each is used once.
    return new DatabaseConfig()
        .setAllowCreate(true)
        .setTransactional(true)
        .setKeyPrefixing(true)
        .setCacheMode(CacheMode.EVICT_LN);
  }
}
