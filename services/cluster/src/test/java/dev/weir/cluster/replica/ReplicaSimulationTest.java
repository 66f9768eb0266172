package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs {@link ReplicaSimulation}, which says what is checked, for many seeds. {@code -Dweir.seed=N}
 * runs the seed N alone, {@code -Dweir.changes=true} changes members in each seed.
 */
class ReplicaSimulationTest {
  private static final long SEEDS = 400;
  private static final long SOAK_SEEDS = 300_000;
  private static final Logger LOG = Logger.getLogger("dev.weir.cluster");

  @BeforeAll
  static void logNothing() {
    LOG.setLevel(Level.SEVERE);
  }

  @AfterAll
  static void logAgain() {
    LOG.setLevel(null);
  }

  @Test
  @Timeout(900)
  void noFaultBreaksAPromise() {
    Long only = Long.getLong("weir.seed");
    run(only == null ? 1 : only, only == null ? SEEDS : only);
  }

  @Test
  @Tag("soak")
  @Timeout(20_000)
  void noFaultBreaksAPromiseInManyMoreRuns() {
    run(Long.getLong("weir.from", SEEDS + 1), Long.getLong("weir.seeds", SOAK_SEEDS));
  }

  @Test
  void aTakeoverWithinTheLeaseIsSeen() {
    assertThatThrownBy(
            () -> {
              for (long seed = 1; seed <= SEEDS; seed++) {
                SimSettings quiet = SimSettings.of(seed).only(SimSettings.Faults.NONE);
                new ReplicaSimulation(
                        quiet.with(o -> o.setHandBackMs(0).setLeaseMs(1500).setTakeoverMs(700)))
                    .run();
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("accepts messages");
  }

  private static void run(long first, long last) {
    long acknowledged = 0;
    for (long seed = first; seed <= last; seed++) {
      acknowledged += new ReplicaSimulation(SimSettings.of(seed)).run();
    }
    System.out.printf(
        "seeds %d to %d hold: %,d messages acknowledged%n", first, last, acknowledged);
    assertThat(acknowledged).isGreaterThan(last - first);
  }
}
