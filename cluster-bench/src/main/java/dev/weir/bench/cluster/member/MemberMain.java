package dev.weir.bench.cluster.member;

import dev.weir.bench.cluster.child.ParentWatch;
import dev.weir.processor.ProcessorMain;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * The program {@code processor.jar} as a child process, which ends with its parent. It answers each
 * line of its parent with how many threads it has started so far, and how many of them live.
 */
public final class MemberMain {
  /** Begins the line that tells of threads. */
  static final String THREADS = "THREADS";

  private MemberMain() {}

  /** Runs the program until it is told to stop, or the parent ends. */
  public static void main(String[] args) {
    ParentWatch.start(MemberMain::printThreads);
    ProcessorMain.main(args);
  }

  private static void printThreads() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    System.out.printf(
        "%s %d %d%n", THREADS, threads.getTotalStartedThreadCount(), threads.getThreadCount());
    System.out.flush();
  }
}
