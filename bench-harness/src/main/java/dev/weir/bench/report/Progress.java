package dev.weir.bench.report;

import java.io.Console;
import java.io.PrintStream;
import java.lang.reflect.Method;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows the progress of the run. For one thread, one task at a time. */
public abstract class Progress {
  /** Shows nothing. */
  public static final Progress NONE =
      new Progress() {
        @Override
        void show(String what) {}
      };

  String task;
  int steps;
  int done;

  /** A task of so many steps begins. */
  public void begin(String newTask, int newSteps) {
    task = newTask;
    steps = newSteps;
    done = 0;
  }

  /** One step is done. */
  public final void step(String what) {
    done++;
    show(what);
  }

  abstract void show(String what);

  /** The task has ended, all steps done or not. */
  public void end() {}

  /** A progress bar on a terminal, otherwise one line per step. */
  public static Progress on(PrintStream out) {
    return isTerminal(System.console()) ? new Bars(out) : new Lines(out);
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

  /** One line per step, for logs. */
  static final class Lines extends Progress {
    private final PrintStream out;

    Lines(PrintStream out) {
      this.out = out;
    }

    @Override
    void show(String what) {
      out.println("  " + task + ": " + what + " (" + done + "/" + steps + ")");
    }
  }

  /** A progress bar per task, for a terminal. */
  static final class Bars extends Progress {
    private static final int WIDTH = 100;

    private final PrintStream out;
    private ProgressBar bar;

    Bars(PrintStream out) {
      this.out = out;
    }

    @Override
    public void begin(String newTask, int newSteps) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(newTask)
              .setInitialMax(newSteps)
              .setStyle(ProgressBarStyle.ASCII)
              .setConsumer(new ConsoleProgressBarConsumer(out, WIDTH))
              .build();
    }

    @Override
    void show(String what) {
      bar.setExtraMessage(what);
      bar.step();
    }

    @Override
    public void end() {
      bar.close();
    }
  }
}
