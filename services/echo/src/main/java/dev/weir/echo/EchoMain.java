package dev.weir.echo;

import dev.weir.launcher.Launcher;

/** The program {@code echo.jar}. */
public final class EchoMain {
  private EchoMain() {}

  /** Runs the service until it is told to stop. */
  public static void main(String[] args) {
    Launcher.run(new Echo(), args);
  }
}
