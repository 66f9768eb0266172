package dev.weir.cluster.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.GroupOptions;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs {@link GroupSimulation}, which says what is checked, for thousands of seeds. {@code
 * -Dweir.seed=N} runs the seed N alone.
 */
class GroupSimulationTest {
  private static final long SEEDS = 2_000;
  private static final long SOAK_SEEDS = 300_000;

  @Test
  @Timeout(300)
  void noFaultBreaksAPromise() {
    Long only = Long.getLong("weir.seed");
    run(only == null ? 1 : only, only == null ? SEEDS : only);
  }

  @Test
  @Tag("soak")
  @Timeout(3600)
  void noFaultBreaksAPromiseInManyMoreRuns() {
    run(SEEDS + 1, Long.getLong("weir.seeds", SOAK_SEEDS));
  }

  @Test
  void aTakeoverWithinTheLeaseIsSeen() {
    SimSettings settings = SimSettings.of(2);
    GroupOptions options = new GroupOptions(settings.options()).setLeaseMs(1500).setTakeoverMs(700);
    assertThatThrownBy(() -> runAll(seed -> SimSettings.of(seed).withOptions(options)))
        .isInstanceOf(AssertionError.class)
        .hasMessageEndingWith("only one replica accepts messages");
  }

  @Test
  void anAcknowledgementOfWhatNotAllInSyncHoldIsSeen() {
    assertThatThrownBy(() -> runAll(seed -> SimSettings.of(seed).asEager()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("acknowledge");
  }

  private static void runAll(LongFunction<SimSettings> settings) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      new GroupSimulation(settings.apply(seed)).run();
    }
  }

  private static void run(long first, long last) {
    long acknowledged = 0;
    for (long seed = first; seed <= last; seed++) {
      acknowledged += new GroupSimulation(SimSettings.of(seed)).run();
    }
    assertThat(acknowledged).isGreaterThan(last - first);
  }
}
