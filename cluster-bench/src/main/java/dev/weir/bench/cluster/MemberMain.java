package dev.weir.bench.cluster;

import dev.weir.processor.ProcessorMain;

/** The program {@code processor.jar} as a child process, which ends with its parent. */
public final class MemberMain {
  private MemberMain() {}

  /** Runs the program until it is told to stop, or the parent ends. */
  public static void main(String[] args) {
    ParentWatch.start();
    ProcessorMain.main(args);
  }
}
