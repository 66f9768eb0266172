package dev.weir.bench.program;

import java.time.Duration;

/**
 * The parameters of VMware Xenon's own tests of throughput, as system properties with the names
 * that Xenon gives them, with or without {@code xenon.} before them. What is not given is 0 or
 * false, and leaves the benchmark its own value.
 *
 * @param serviceCount documents that are changed in turn
 * @param updateCount operations of a round for each document; also named {@code requestCount}
 * @param testDurationSeconds the least time that a row is measured
 * @param totalOperationLimit operations of a round at most
 * @param isStressTest whether a round may stand still for as long as it wants
 */
public record SeedParameters(
    int serviceCount,
    long updateCount,
    int testDurationSeconds,
    long totalOperationLimit,
    boolean isStressTest) {
  private static final int DEFAULT_SERVICES = 128;

  /** Those that this JVM was started with. */
  public static SeedParameters ofSystem() {
    long updates = number("updateCount");
    return new SeedParameters(
        (int) number("serviceCount"),
        updates == 0 ? number("requestCount") : updates,
        (int) number("testDurationSeconds"),
        number("totalOperationLimit"),
        Boolean.parseBoolean(text("isStressTest")));
  }

  private static String text(String name) {
    return System.getProperty(name, System.getProperty("xenon." + name));
  }

  private static long number(String name) {
    String value = text(name);
    if (value == null) {
      return 0;
    }
    try {
      long number = Long.parseLong(value);
      if (number > 0 && number <= Integer.MAX_VALUE) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        name + " is " + value + ", allowed is 1 to " + Integer.MAX_VALUE);
  }

  /** Documents that are changed in turn. */
  public int documents() {
    return serviceCount == 0 ? DEFAULT_SERVICES : serviceCount;
  }

  /** Operations of a round. */
  public long operations(long byDefault) {
    long asked = updateCount == 0 ? byDefault : updateCount * documents();
    return totalOperationLimit == 0 ? asked : Math.min(asked, totalOperationLimit);
  }

  /** How long a row is measured. */
  public Duration duration(Duration byDefault) {
    return testDurationSeconds == 0 ? byDefault : Duration.ofSeconds(testDurationSeconds);
  }

  /** How long a round may stand still before it has failed. */
  public Duration idleTimeout(Duration byDefault) {
    return isStressTest ? Duration.ofDays(1) : byDefault;
  }
}
