package dev.weir.bench.cluster.child;

import java.util.ArrayList;
import java.util.List;

/** The JVM flags of child processes. */
public final class ChildFlags {
  private static final List<String> OPENED =
      List.of(
          "java.base/java.lang",
          "java.base/java.nio",
          "java.base/jdk.internal.misc",
          "java.base/sun.nio.ch",
          "java.management/sun.management",
          "jdk.management/com.sun.management.internal");

  private ChildFlags() {}

  /** Flags for a fixed heap, a named collector, and the access that Hazelcast and Agrona need. */
  public static List<String> of(int heapMiB) {
    List<String> flags = new ArrayList<>();
    flags.add("-Xms" + heapMiB + "m");
    flags.add("-Xmx" + heapMiB + "m");
    flags.add("-XX:+UseSerialGC");
    flags.add("-XX:+ExitOnOutOfMemoryError");
    flags.add("-Djava.util.concurrent.ForkJoinPool.common.parallelism=2");
    flags.add("--add-modules=java.se");
    flags.add("--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED");
    OPENED.forEach(opened -> flags.add("--add-opens=" + opened + "=ALL-UNNAMED"));
    return flags;
  }
}
