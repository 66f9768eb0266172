package dev.weir.cluster;

import java.util.List;

/** Looks at the threads of this JVM. */
public final class Threads {
  private Threads() {}

  /** Names of those that run and are ours or Hazelcast's. */
  public static List<String> alive() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("weir-") || name.startsWith("hz."))
        .toList();
  }
}
