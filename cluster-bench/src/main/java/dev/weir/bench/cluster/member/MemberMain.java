package dev.weir.bench.cluster.member;

import dev.weir.bench.cluster.child.ParentWatch;
import dev.weir.processor.ProcessorMain;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * The main class of a member: the program {@code processor.jar} in a child process, which ends with
 * its parent. It answers each line of its parent with the number of threads started and alive.
 */
public final class MemberMain {
  /** The first word of the line with the numbers of threads. */
  static final String THREADS = "THREADS";

  private MemberMain() {}

  /** Runs the program until it is stopped or the parent ends. */
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
