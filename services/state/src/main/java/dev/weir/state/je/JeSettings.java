package dev.weir.state.je;

import com.sleepycat.je.CacheMode;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.Durability;
import com.sleepycat.je.EnvironmentConfig;
import dev.weir.queue.je.JeConfig;

/** The settings of JE for a store of documents; what is not set here is JE's default. */
final class JeSettings {
  private static final long MAX_LOG_BUFFER_BYTES = 1 << 20;
  private static final long MIN_LOG_BUFFER_BYTES = 64 << 10;
  private static final long CHECKPOINT_BYTES = 20 << 20;

  private JeSettings() {}

  static EnvironmentConfig environment(long cacheBytes, long logFileBytes, long minFreeBytes) {
    long bufferBytes =
        Math.max(MIN_LOG_BUFFER_BYTES, Math.min(MAX_LOG_BUFFER_BYTES, cacheBytes / 16));
    EnvironmentConfig config =
        JeConfig.writable(cacheBytes, logFileBytes, bufferBytes, CHECKPOINT_BYTES);
    // What must reach the device is forced after its commit: see DocumentFiles.
    config.setDurability(Durability.COMMIT_WRITE_NO_SYNC);
    config.setConfigParam(EnvironmentConfig.FREE_DISK, Long.toString(minFreeBytes));
    return config;
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
