package ${package};

import dev.weir.launcher.Launcher;

/** Runs the service and its HTTP front until SIGTERM. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    Launcher.run(new OrderService(), args);
  }
}
