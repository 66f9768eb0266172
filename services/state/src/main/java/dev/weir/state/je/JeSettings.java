package dev.weir.state.je;

import com.sleepycat.je.CacheMode;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.Durability;
import com.sleepycat.je.EnvironmentConfig;

/** The settings of JE for a store of documents; what is not set here is JE's default. */
final class JeSettings {
  private static final long MAX_LOG_BUFFER_BYTES = 1 << 20;
  private static final long MIN_LOG_BUFFER_BYTES = 64 << 10;
  private static final long CHECKPOINT_BYTES = 20 << 20;
  private static final int LOG_BUFFERS = 3;

  private JeSettings() {}

  static EnvironmentConfig environment(long cacheBytes, long logFileBytes, long minFreeBytes) {
    long bufferBytes =
        Math.max(MIN_LOG_BUFFER_BYTES, Math.min(MAX_LOG_BUFFER_BYTES, cacheBytes / 16));
    EnvironmentConfig config = new EnvironmentConfig();
    config.setAllowCreate(true).setTransactional(true).setCacheSize(cacheBytes);
    // What must reach the device is forced after its commit: see DocumentFiles.
    config.setDurability(Durability.COMMIT_WRITE_NO_SYNC);
    config.setConfigParam(EnvironmentConfig.LOG_FILE_MAX, text(logFileBytes));
    config.setConfigParam(EnvironmentConfig.LOG_BUFFER_SIZE, text(bufferBytes));
    config.setConfigParam(
        EnvironmentConfig.LOG_TOTAL_BUFFER_BYTES, text(LOG_BUFFERS * bufferBytes));
    config.setConfigParam(EnvironmentConfig.FREE_DISK, text(minFreeBytes));
    config.setConfigParam(EnvironmentConfig.MAX_DISK, "0");
    config.setConfigParam(EnvironmentConfig.CHECKPOINTER_BYTES_INTERVAL, text(CHECKPOINT_BYTES));
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

  /** A table of documents: they leave JE's cache at once, because the engine keeps those in use. */
  static DatabaseConfig documents() {
    return meta().setKeyPrefixing(true).setCacheMode(CacheMode.EVICT_LN);
  }

  /** A table with few small records. */
  static DatabaseConfig meta() {
    return new DatabaseConfig().setAllowCreate(true).setTransactional(true);
  }
}
