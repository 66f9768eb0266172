package dev.weir.cluster;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Tests that provoke errors on purpose do not print them, unless -Dweir.test.log=true. */
public final class QuietLog {
  // Held here: a logger that nobody holds forgets its level.
  private static final Logger WEIR = Logger.getLogger("dev.weir.cluster");
  private static final Logger HAZELCAST = Logger.getLogger("com.hazelcast");

  private QuietLog() {}

  public static void set() {
    if (!Boolean.getBoolean("weir.test.log")) {
      WEIR.setLevel(Level.OFF);
      HAZELCAST.setLevel(Level.OFF);
    }
  }
}
