package dev.weir.queue;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Tests that provoke errors on purpose do not print them, unless -Dweir.test.log=true. */
final class QuietLog {
  // Held here: a logger that nobody holds forgets its level.
  private static final Logger WEIR = Logger.getLogger("dev.weir.queue");
  private static final Logger JE = Logger.getLogger("com.sleepycat.je");

  private QuietLog() {}

  static void set() {
    if (!Boolean.getBoolean("weir.test.log")) {
      WEIR.setLevel(Level.OFF);
      JE.setLevel(Level.OFF);
    }
  }
}
