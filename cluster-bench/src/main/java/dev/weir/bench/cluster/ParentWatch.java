package dev.weir.bench.cluster;

import java.io.IOException;

/**
 * Ends a child process when its parent is gone: its standard input is a pipe that the parent holds.
 */
final class ParentWatch {
  private ParentWatch() {}

  static void start() {
    Thread thread = new Thread(ParentWatch::watch, "bench-parent-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private static void watch() {
    try {
      while (System.in.read() >= 0) {
        // What the parent says does not matter.
      }
    } catch (IOException e) {
      // Gone as well.
    }
    Runtime.getRuntime().halt(0);
  }
}
