package dev.weir.bench.env;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;

/** The garbage collector by the name used in its flag, read from the running JVM. */
final class Collector {
  private static final Map<String, String> NAME_BY_BEAN_PREFIX =
      Map.of(
          "G1", "G1",
          "PS", "Parallel",
          "Copy", "Serial",
          "MarkSweep", "Serial",
          "ZGC", "ZGC",
          "Shenandoah", "Shenandoah",
          "Epsilon", "Epsilon");

  private Collector() {}

  static String current() {
    return nameOf(
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(GarbageCollectorMXBean::getName)
            .toList());
  }

  /** The bean names themselves when none is known. */
  static String nameOf(List<String> beans) {
    return NAME_BY_BEAN_PREFIX.entrySet().stream()
        .filter(entry -> beans.stream().anyMatch(bean -> bean.startsWith(entry.getKey())))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(String.join(", ", beans));
  }
}
