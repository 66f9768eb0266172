package dev.weir.bench.report;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar per task, for a terminal. */
final class ProgressBars implements Progress {
  private static final int WIDTH = 100;

  private final PrintStream out;
  private ProgressBar bar;

  ProgressBars(PrintStream out) {
    this.out = out;
  }

  @Override
  public void begin(String task, int steps) {
    bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(steps)
            .setStyle(ProgressBarStyle.ASCII)
            .setConsumer(new ConsoleProgressBarConsumer(out, WIDTH))
            .build();
  }

  @Override
  public void step(String what) {
    bar.setExtraMessage(what);
    bar.step();
  }

  @Override
  public void end() {
    bar.close();
  }
}
