package dev.weir.queue;

import dev.weir.queue.store.StoreThread;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Tests that provoke errors on purpose do not print them, unless -Dweir.test.log=true. What no test
 * provokes is an error of a store thread itself.
 */
public final class QuietLog {
  // Held here: a logger that nobody holds forgets its level.
  private static final Logger WEIR = Logger.getLogger("dev.weir.queue");
  private static final Logger JE = Logger.getLogger("com.sleepycat.je");
  private static final Logger THREADS = Logger.getLogger(StoreThread.class.getName());
  private static final List<String> ERRORS = new CopyOnWriteArrayList<>();

  static {
    THREADS.setLevel(Level.ALL);
    THREADS.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord error) {
            ERRORS.add(error.getMessage() + ": " + error.getThrown());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
  }

  private QuietLog() {}

  public static void set() {
    if (!Boolean.getBoolean("weir.test.log")) {
      WEIR.setLevel(Level.OFF);
      JE.setLevel(Level.OFF);
    }
  }

  /** What store threads failed with since the last call. */
  static List<String> takeErrors() {
    List<String> taken = List.copyOf(ERRORS);
    ERRORS.clear();
    return taken;
  }
}
