package dev.weir.queue.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs {@link QueueSimulation}, which says what is simulated, for many seeds. {@code
 * -Dweir.sim.seed=N} runs the seed N alone.
 */
class QueueSimulationTest {
  private static final long SEEDS = 200;
  private static final long SOAK_SEEDS = 100_000;

  /** No further seed is run when so many have failed. */
  private static final int MOST_FAILED = 200;

  private static final Logger LOG = Logger.getLogger("dev.weir.queue");

  @BeforeAll
  static void logNothing() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void logAgain() {
    LOG.setLevel(null);
  }

  @Test
  @Timeout(300)
  void noFaultBreaksAPromise() {
    Long only = Long.getLong("weir.sim.seed");
    run(only == null ? 1 : only, only == null ? SEEDS : only);
  }

  @Test
  @Tag("soak")
  @Timeout(7200)
  void noFaultBreaksAPromiseInManyMoreRuns() {
    run(Long.getLong("weir.sim.from", SEEDS + 1), Long.getLong("weir.sim.seeds", SOAK_SEEDS));
  }

  private static void run(long first, long last) {
    long deliveries = 0;
    long startNs = System.nanoTime();
    Map<Long, AssertionError> failed = new TreeMap<>();
    for (long seed = first; seed <= last && failed.size() < MOST_FAILED; seed++) {
      try {
        deliveries += QueueSimulation.run(seed);
      } catch (AssertionError e) {
        failed.put(seed, e);
        System.out.println(e.getMessage().lines().findFirst().orElse(""));
      }
    }
    for (AssertionError e : failed.values()) {
      throw new AssertionError("failed seeds " + failed.keySet() + ", the first: " + e, e);
    }
    System.out.printf(
        "seeds %d to %d hold: %,d deliveries in %,d ms%n",
        first, last, deliveries, (System.nanoTime() - startNs) / 1_000_000);
    assertThat(deliveries).isGreaterThan(last - first);
  }
}
