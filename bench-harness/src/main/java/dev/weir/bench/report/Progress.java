package dev.weir.bench.report;

import java.io.Console;
import java.io.PrintStream;
import java.lang.reflect.Method;

/** A listener for the progress of the run. For one thread, one task at a time. */
public interface Progress {
  /** A listener that shows nothing. */
  Progress NONE =
      new Progress() {
        @Override
        public void begin(String task, int steps) {}

        @Override
        public void step(String what) {}

        @Override
        public void end() {}
      };

  /** A task of so many steps begins. */
  void begin(String task, int steps);

  /** One step is done. */
  void step(String what);

  /** The task has ended, all steps done or not. */
  void end();

  /** A progress bar on a terminal, otherwise one line per step. */
  static Progress on(PrintStream out) {
    return isTerminal(System.console()) ? new ProgressBars(out) : new ProgressLines(out);
  }

  /** From Java 22 a console may exist without a terminal, and says so. */
  private static boolean isTerminal(Console console) {
    if (console == null) {
      return false;
    }
    try {
      Method isTerminal = Console.class.getMethod("isTerminal");
      return (Boolean) isTerminal.invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }
}
