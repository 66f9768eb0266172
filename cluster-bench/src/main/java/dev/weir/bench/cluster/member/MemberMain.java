package dev.weir.bench.cluster.member;

import dev.weir.bench.Preheat;
import dev.weir.bench.cluster.child.ParentWatch;
import dev.weir.processor.ProcessorMain;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * The main class of a member: the program {@code processor.jar} in a child process, which ends with
 * its parent. It answers each line of its parent with figures of its JVM.
 */
public final class MemberMain {
  /** The first word of the line with the figures of the JVM. */
  static final String FIGURES = "FIGURES";

  private MemberMain() {}

  /** Runs the program until it is stopped or the parent ends. */
  public static void main(String[] args) {
    ParentWatch.start(MemberMain::printFigures);
    ProcessorMain.main(args);
  }

  private static void printFigures() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    System.out.printf(
        "%s %d %d %d%n",
        FIGURES,
        threads.getTotalStartedThreadCount(),
        threads.getThreadCount(),
        Preheat.compiledMs());
    System.out.flush();
  }
}
