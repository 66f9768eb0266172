package dev.weir.bench.cluster.threads;

import dev.weir.bench.cluster.options.Names;
import dev.weir.bench.program.Usage;
import java.util.Locale;

/** What the threads are laid out for: the system property {@value #PROPERTY}. */
public enum OptimizeFor {
  LATENCY,
  THROUGHPUT;

  static final String PROPERTY = "optimizefor";

  /** The property's value; {@link #LATENCY} without one. */
  public static OptimizeFor ofSystem(Usage usage) {
    return Names.parse(
        OptimizeFor.class, "-D" + PROPERTY, System.getProperty(PROPERTY, "latency"), usage);
  }

  /** The flag that gives another JVM what this one was given. */
  public static String flag() {
    return "-D" + PROPERTY + "=" + System.getProperty(PROPERTY, "latency");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
