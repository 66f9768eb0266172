package dev.weir.bench.cluster.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.program.CpuMask;
import dev.weir.bench.program.Names;
import dev.weir.cluster.Replication;
import dev.weir.cluster.Waiting;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadPlanTest {

  private static ThreadPlan plan(
      CpuConfig config, OptimizeFor optimize, boolean backupHere, int cpus) {
    return plan(config, optimize, backupHere, cpus, Map.of());
  }

  private static ThreadPlan plan(
      CpuConfig config,
      OptimizeFor optimize,
      boolean backupHere,
      int cpus,
      Map<Task, CpuMask> masks) {
    return plan(Replication.TCP, config, optimize, backupHere, cpus, masks);
  }

  private static ThreadPlan plan(
      Replication link,
      CpuConfig config,
      OptimizeFor optimize,
      boolean backupHere,
      int cpus,
      Map<Task, CpuMask> masks) {
    ThreadRequest request =
        new ThreadRequest(optimize, config.preset(optimize), link, true, backupHere, masks);
    return ThreadPlan.of(request, cpus);
  }

  /** Which threads a process has; those in capitals spin. */
  private static String threads(ProcessThreads process) {
    StringBuilder text = new StringBuilder();
    for (PlannedThread thread : process.threads()) {
      String name = Names.of(thread.task());
      text.append(text.length() == 0 ? "" : " ");
      text.append(thread.spins() ? name.toUpperCase(Locale.ROOT) : name);
    }
    return text.toString();
  }

  private static long spinning(ThreadPlan plan) {
    return Stream.of(plan.primary(), plan.backup())
        .filter(Objects::nonNull)
        .flatMap(process -> process.threads().stream())
        .filter(PlannedThread::spins)
        .count();
  }

  @ParameterizedTest
  @CsvSource({
    "MINCPU,  LATENCY,    16, MUX link-reader INJECTOR",
    "MINCPU,  THROUGHPUT, 16, MUX link-reader",
    "DEFAULT, LATENCY,    16, MUX INJECTOR persister",
    "DEFAULT, THROUGHPUT, 16, MUX BUS-SENDER persister",
    "MAXCPU,  LATENCY,    16, MUX LINK-READER DISPATCHER REPLICATION-SENDER BUS-SENDER INJECTOR"
        + " persister",
    "MAXCPU,  THROUGHPUT, 16, MUX LINK-READER DISPATCHER REPLICATION-SENDER BUS-SENDER persister",
    "MINCPU,  LATENCY,    1,  MUX link-reader",
    "DEFAULT, LATENCY,    1,  MUX",
    "DEFAULT, LATENCY,    2,  MUX INJECTOR",
    "DEFAULT, LATENCY,    3,  MUX INJECTOR persister",
    "DEFAULT, THROUGHPUT, 1,  MUX",
    "MAXCPU,  LATENCY,    4,  MUX LINK-READER DISPATCHER REPLICATION-SENDER bus-sender persister"
  })
  void aPrimaryAloneOnItsMachine(CpuConfig config, OptimizeFor optimize, int cpus, String threads) {
    assertThat(threads(plan(config, optimize, false, cpus).primary())).isEqualTo(threads);
  }

  @ParameterizedTest
  @CsvSource({
    "DEFAULT, LATENCY,    1, MUX, mux link-reader",
    "DEFAULT, LATENCY,    2, MUX, MUX",
    "DEFAULT, LATENCY,    3, MUX INJECTOR, MUX",
    "DEFAULT, LATENCY,    4, MUX INJECTOR persister, MUX persister",
    "DEFAULT, THROUGHPUT, 2, MUX, MUX",
    "DEFAULT, THROUGHPUT, 3, MUX BUS-SENDER, MUX",
    "MINCPU,  LATENCY,    2, MUX link-reader, mux link-reader",
    "MAXCPU,  LATENCY,    2, MUX link-reader dispatcher replication-sender bus-sender persister,"
        + " mux link-reader dispatcher replication-sender persister",
    "MAXCPU,  LATENCY,    4, MUX LINK-READER dispatcher replication-sender bus-sender persister,"
        + " mux LINK-READER dispatcher replication-sender persister"
  })
  void aPrimaryAndItsBackupOnOneMachine(
      CpuConfig config, OptimizeFor optimize, int cpus, String primary, String backup) {
    ThreadPlan plan = plan(config, optimize, true, cpus);

    assertThat(threads(plan.primary())).isEqualTo(primary);
    assertThat(threads(plan.backup())).isEqualTo(backup);
  }

  @Test
  void neverSpinsMoreThreadsThanThereAreCpus() {
    for (CpuConfig config : CpuConfig.values()) {
      for (OptimizeFor optimize : OptimizeFor.values()) {
        for (int cpus = 1; cpus <= 16; cpus++) {
          assertThat(spinning(plan(config, optimize, true, cpus))).isBetween(1L, (long) cpus);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "MINCPU, LATENCY, 1",
    "MINCPU, THROUGHPUT, 1",
    "DEFAULT, LATENCY, 2",
    "DEFAULT, THROUGHPUT, 3",
    "MAXCPU, LATENCY, 6",
    "MAXCPU, THROUGHPUT, 6"
  })
  void keepsAsManyCpusBusyAsTheRumiBenchmarkSays(CpuConfig config, OptimizeFor optimize, int busy) {
    assertThat(plan(config, optimize, true, 16).primary().busyCpus()).isEqualTo(busy);
  }

  @Test
  void warnsOfMoreSpinningThreadsThanCpus() {
    ThreadPlan plan = plan(CpuConfig.MAXCPU, OptimizeFor.LATENCY, true, 2);

    assertThat(plan.warnings())
        .containsExactly(
            "10 spinning threads are asked for, 2 can have one of the 2 CPUs to themselves; the"
                + " others block, so that no two spin on one CPU");
    assertThat(plan(CpuConfig.MINCPU, OptimizeFor.THROUGHPUT, true, 2).warnings()).isEmpty();
  }

  @Test
  void twoThreadsBoundToOneCpuDoNotBothSpin() {
    Map<Task, CpuMask> masks = Map.of(Task.MUX, CpuMask.of(1), Task.INJECTOR, CpuMask.of(1));

    ThreadPlan plan = plan(CpuConfig.DEFAULT, OptimizeFor.LATENCY, false, 4, masks);

    assertThat(plan.primary().spins(Task.MUX)).isTrue();
    assertThat(plan.primary().has(Task.INJECTOR)).isFalse();
    assertThat(plan.warnings()).hasSize(1);
  }

  @Test
  void aThreadThatIsBoundGetsItsCpuBeforeOneThatIsNot() {
    Map<Task, CpuMask> masks = Map.of(Task.INJECTOR, CpuMask.of(1));

    ThreadPlan plan = plan(CpuConfig.DEFAULT, OptimizeFor.LATENCY, false, 2, masks);

    assertThat(spinning(plan)).isEqualTo(2);
    assertThat(plan.warnings()).isEmpty();
    assertThat(plan.describe()).contains("primary injector, spins, on CPU [1]");
  }

  @Test
  void hasNoThreadsForWhatIsOff() {
    ThreadPlan plan =
        ThreadPlan.of(
            new ThreadRequest(
                OptimizeFor.LATENCY,
                CpuConfig.MAXCPU.preset(OptimizeFor.LATENCY),
                null,
                false,
                false,
                Map.of()),
            16);

    assertThat(threads(plan.primary())).isEqualTo("MUX BUS-SENDER INJECTOR");
  }

  @Test
  void aThreadThatFoundNoCpuWaits() {
    ThreadPlan plan = plan(CpuConfig.DEFAULT, OptimizeFor.LATENCY, true, 1);

    assertThat(plan.primary().waiting(Task.MUX)).isEqualTo(Waiting.SPIN);
    assertThat(plan.backup().waiting(Task.MUX)).isEqualTo(Waiting.BLOCK);
  }

  @Test
  void aGroupHasTheThreadsOfThePlan() {
    ThreadPlan small = plan(CpuConfig.MINCPU, OptimizeFor.LATENCY, true, 2);
    ThreadPlan large = plan(CpuConfig.MAXCPU, OptimizeFor.LATENCY, true, 2);

    assertThat(threads(small.primary())).isEqualTo("MUX link-reader");
    assertThat(threads(small.backup())).isEqualTo("mux link-reader");
    assertThat(small.primary().linkWaiting()).isEqualTo(Waiting.BLOCK);
    assertThat(threads(large.primary()))
        .isEqualTo("MUX link-reader dispatcher replication-sender bus-sender persister");
    assertThat(large.primary().linkWaiting()).isEqualTo(Waiting.BLOCK);
    assertThat(large.primary().waiting(Task.BUS_SENDER)).isEqualTo(Waiting.BLOCK);
    assertThat(large.backup().waiting(Task.BUS_SENDER)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "MINCPU,  LATENCY,    16, MUX INJECTOR, mux",
    "DEFAULT, LATENCY,    16, MUX INJECTOR persister, mux persister",
    "DEFAULT, THROUGHPUT, 1,  MUX, mux",
    "MAXCPU,  THROUGHPUT, 16, MUX DISPATCHER REPLICATION-SENDER BUS-SENDER persister,"
        + " mux DISPATCHER REPLICATION-SENDER persister"
  })
  void hazelcastNeedsNoReader(
      CpuConfig config, OptimizeFor optimize, int cpus, String primary, String backup) {
    Map<Task, CpuMask> masks = Map.of(Task.LINK_READER, CpuMask.of(0));

    ThreadPlan plan = plan(Replication.HAZELCAST, config, optimize, true, cpus, masks);

    assertThat(threads(plan.primary())).isEqualTo(primary);
    assertThat(threads(plan.backup())).isEqualTo(backup);
    assertThat(plan.blocking().primary().has(Task.LINK_READER)).isFalse();
    assertThat(plan.blocking().backup().has(Task.LINK_READER)).isFalse();
  }

  @Test
  void aLinkThatNobodyPollsHasAReaderOnItsCpus() {
    CpuMask second = CpuMask.of(1);
    Map<Task, CpuMask> masks = Map.of(Task.LINK_READER, second);

    ThreadPlan polled = plan(CpuConfig.DEFAULT, OptimizeFor.LATENCY, true, 2, masks);
    ThreadPlan asleep = polled.blocking();

    assertThat(threads(polled.primary())).isEqualTo("MUX");
    assertThat(threads(polled.backup())).isEqualTo("MUX");
    assertThat(threads(asleep.primary())).isEqualTo("mux link-reader");
    assertThat(threads(asleep.backup())).isEqualTo("mux link-reader");
    assertThat(asleep.primary().cpus(Task.LINK_READER)).isSameAs(second);
    assertThat(asleep.backup().cpus(Task.LINK_READER)).isSameAs(CpuMask.ANY);
    assertThat(asleep.primary().linkWaiting()).isEqualTo(Waiting.BLOCK);
    assertThat(asleep.blocking()).isEqualTo(asleep);
  }

  @Test
  void aLinkWhoseReaderHasACpuIsPolled() {
    ThreadPlan plan = plan(CpuConfig.MAXCPU, OptimizeFor.LATENCY, true, 16);

    assertThat(plan.primary().linkWaiting()).isEqualTo(Waiting.SPIN);
    assertThat(plan.backup().waiting(Task.DISPATCHER)).isEqualTo(Waiting.SPIN);
  }
}
