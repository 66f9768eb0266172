package dev.weir.bench.cluster.child;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Settings of every JVM that runs a member of a group. */
public final class JvmDefaults {
  private static final String COMMON_PARALLELISM =
      "java.util.concurrent.ForkJoinPool.common.parallelism";

  // Held here, because the levels of loggers that nobody refers to are forgotten.
  private static final Logger HAZELCAST = Logger.getLogger("com.hazelcast");

  private static final Logger EVENT_BUS = Logger.getLogger("io.vertx.core.eventbus");

  private JvmDefaults() {}

  /**
   * Applies the settings. Must be called before anything uses the common pool: with one thread in
   * that pool, which is the default on two CPUs, Hazelcast's futures start a thread per callback.
   */
  public static void apply() {
    if (System.getProperty(COMMON_PARALLELISM) == null) {
      int cpus = Runtime.getRuntime().availableProcessors();
      System.setProperty(COMMON_PARALLELISM, Integer.toString(Math.max(2, cpus - 1)));
    }
    // Hazelcast logs a hundred lines for each member that starts.
    HAZELCAST.setLevel(Level.WARNING);
    // Vert.x logs a stack trace for each request to a member that was stopped a moment ago.
    EVENT_BUS.setLevel(Level.SEVERE);
  }
}
