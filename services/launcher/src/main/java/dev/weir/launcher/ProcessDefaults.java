package dev.weir.launcher;

import java.util.logging.Level;
import java.util.logging.Logger;
import jdk.jfr.FlightRecorder;

/** What our programs set before anything else runs in the JVM. */
public final class ProcessDefaults {
  private static final String POOL = "java.util.concurrent.ForkJoinPool.common.parallelism";
  private static final String NETTY_EVENTS = "io.netty.jfr.enabled";
  private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";
  private static final String LOG_CONFIG = "java.util.logging.config.file";

  /** Silences about a hundred lines per start and stop that no user needs. */
  private static final Logger HAZELCAST = Logger.getLogger("com.hazelcast");

  /** Its only line warns of our own choice. */
  private static final Logger SLOW_OPERATIONS =
      Logger.getLogger("com.hazelcast.spi.impl.operationexecutor.slowoperationdetector");

  /** It logs a stack trace for a port that is taken; our programs name the port. */
  private static final Logger ADDRESS_PICKER =
      Logger.getLogger("com.hazelcast.instance.AddressPicker");

  /** Vert.x registers a gauge again for each server and connection, and means the same one. */
  private static final Logger METERS =
      Logger.getLogger("io.micrometer.core.instrument.MeterRegistry");

  private ProcessDefaults() {}

  /**
   * Called first thing in main: some of it is read once by the JDK. What the user set stays. From
   * now on the program ends with {@link ExitCodes#MEMORY} when its heap is exhausted.
   */
  public static void set() {
    HeapGuard.start();
    // With parallelism 1 each callback of Hazelcast starts a thread; read once, by the first user.
    if (System.getProperty(POOL) == null && Runtime.getRuntime().availableProcessors() <= 2) {
      System.setProperty(POOL, "2");
    }
    if (System.getProperty(LOG_FORMAT) == null) {
      System.setProperty(LOG_FORMAT, "%1$tT.%1$tL %4$s %3$s: %5$s%6$s%n");
    }
    // Its events take time at the start, and are of use to a recording only.
    if (System.getProperty(NETTY_EVENTS) == null && !FlightRecorder.isInitialized()) {
      System.setProperty(NETTY_EVENTS, "false");
    }
    ADDRESS_PICKER.setLevel(Level.OFF);
    SLOW_OPERATIONS.setLevel(Level.SEVERE);
    METERS.setLevel(Level.SEVERE);
    verbose(false);
  }

  /**
   * Whether Hazelcast says all it has to say, or only warnings. A logging configuration of the
   * user's own is left as it is.
   */
  public static void verbose(boolean verbose) {
    if (System.getProperty(LOG_CONFIG) == null) {
      HAZELCAST.setLevel(verbose ? Level.INFO : Level.WARNING);
    }
  }
}
