package dev.weir.bench.cluster.threads;

import dev.weir.bench.program.Names;

/** What the threads of a processor are laid out for. */
public enum OptimizeFor {
  LATENCY,
  THROUGHPUT;

  private static final String PROPERTY = "optimizefor";

  /**
   * The value of the system property {@code optimizefor}; {@link #LATENCY} if it is not set.
   *
   * @throws IllegalArgumentException if the property has another value
   */
  public static OptimizeFor ofSystem() {
    return Names.parse(
        OptimizeFor.class, "-D" + PROPERTY, System.getProperty(PROPERTY, Names.of(LATENCY)));
  }

  @Override
  public String toString() {
    return Names.of(this);
  }
}
