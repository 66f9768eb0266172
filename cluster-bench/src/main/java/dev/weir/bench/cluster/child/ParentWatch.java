package dev.weir.bench.cluster.child;

import java.io.IOException;

/**
 * Ends a child process when its parent has ended. The child's standard input is a pipe that the
 * parent holds open.
 */
public final class ParentWatch {
  private ParentWatch() {}

  public static void start() {
    start(() -> {});
  }

  /**
   * Starts to watch.
   *
   * @param onLine called after each line that the parent writes
   */
  public static void start(Runnable onLine) {
    Thread thread = new Thread(() -> watch(onLine), "bench-parent-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private static void watch(Runnable onLine) {
    try {
      for (int read = System.in.read(); read >= 0; read = System.in.read()) {
        if (read == '\n') {
          onLine.run();
        }
      }
    } catch (IOException e) {
      // The parent has ended.
    }
    Runtime.getRuntime().halt(0);
  }
}
