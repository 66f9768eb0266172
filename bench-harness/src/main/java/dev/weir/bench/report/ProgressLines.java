package dev.weir.bench.report;

import java.io.PrintStream;

/** One line per step, for logs. */
final class ProgressLines implements Progress {
  private final PrintStream out;
  private String task;
  private int steps;
  private int done;

  ProgressLines(PrintStream out) {
    this.out = out;
  }

  @Override
  public void begin(String newTask, int newSteps) {
    task = newTask;
    steps = newSteps;
    done = 0;
  }

  @Override
  public void step(String what) {
    done++;
    out.println("  " + task + ": " + what + " (" + done + "/" + steps + ")");
  }

  @Override
  public void end() {}
}
