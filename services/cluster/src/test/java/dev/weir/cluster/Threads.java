package dev.weir.cluster;

import java.lang.management.ManagementFactory;
import java.util.List;

/** Looks at the threads of this JVM. */
final class Threads {
  private Threads() {}

  /** How many were ever started. */
  static long started() {
    return ManagementFactory.getThreadMXBean().getTotalStartedThreadCount();
  }

  /** Names of those that run and are ours or Hazelcast's. */
  static List<String> alive() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("weir-") || name.startsWith("hz."))
        .toList();
  }
}
