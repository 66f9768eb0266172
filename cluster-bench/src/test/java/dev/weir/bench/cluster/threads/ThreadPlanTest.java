package dev.weir.bench.cluster.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.options.Names;
import dev.weir.bench.cluster.threads.PlannedThread.Place;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.program.CpuMask;
import dev.weir.cluster.Replication;
import dev.weir.cluster.ThreadOptions;
import dev.weir.cluster.Waiting;
import java.util.Locale;
import java.util.Map;
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
    return ThreadPlan.of(config.wishes(optimize), optimize, link, true, backupHere, cpus, masks);
  }

  /** Which threads the primary has; those in capitals spin. */
  private static String threads(ThreadPlan plan, Place place) {
    StringBuilder text = new StringBuilder();
    for (PlannedThread thread : plan.threads()) {
      if (thread.place() == place) {
        String name = Names.of(thread.task()).replace("_", "-");
        text.append(text.length() == 0 ? "" : " ");
        text.append(thread.spins() ? name.toUpperCase(Locale.ROOT) : name);
      }
    }
    return text.toString();
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
    assertThat(threads(plan(config, optimize, false, cpus), Place.PRIMARY)).isEqualTo(threads);
  }

  @ParameterizedTest
  @CsvSource({
    "DEFAULT, LATENCY,    1, MUX, mux link-reader",
    "DEFAULT, LATENCY,    2, MUX, MUX",
    "DEFAULT, LATENCY,    3, MUX INJECTOR, MUX",
    "DEFAULT, LATENCY,    4, MUX INJECTOR persister, MUX persister",
    "DEFAULT, THROUGHPUT, 2, MUX, MUX",
    "DEFAULT, THROUGHPUT, 3, MUX BUS-SENDER, MUX",
    "MINCPU,  LATENCY,    2, MUX link-reader, MUX link-reader",
    "MAXCPU,  LATENCY,    2, MUX link-reader dispatcher replication-sender bus-sender persister,"
        + " MUX link-reader dispatcher replication-sender persister",
    "MAXCPU,  LATENCY,    4, MUX LINK-READER dispatcher replication-sender bus-sender persister,"
        + " MUX LINK-READER dispatcher replication-sender persister"
  })
  void aPrimaryAndItsBackupOnOneMachine(
      CpuConfig config, OptimizeFor optimize, int cpus, String primary, String backup) {
    ThreadPlan plan = plan(config, optimize, true, cpus);

    assertThat(threads(plan, Place.PRIMARY)).isEqualTo(primary);
    assertThat(threads(plan, Place.BACKUP)).isEqualTo(backup);
  }

  @Test
  void neverSpinsMoreThreadsThanThereAreCpus() {
    for (CpuConfig config : CpuConfig.values()) {
      for (OptimizeFor optimize : OptimizeFor.values()) {
        for (int cpus = 1; cpus <= 16; cpus++) {
          assertThat(plan(config, optimize, true, cpus).spinning()).isBetween(1L, (long) cpus);
        }
      }
    }
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

    assertThat(plan.spins(Place.PRIMARY, Task.MUX)).isTrue();
    assertThat(plan.has(Place.PRIMARY, Task.INJECTOR)).isFalse();
    assertThat(plan.warnings()).hasSize(1);
  }

  @Test
  void aThreadThatIsBoundGetsItsCpuBeforeOneThatIsNot() {
    Map<Task, CpuMask> masks = Map.of(Task.INJECTOR, CpuMask.of(1));

    ThreadPlan plan = plan(CpuConfig.DEFAULT, OptimizeFor.LATENCY, false, 2, masks);

    assertThat(plan.spinning()).isEqualTo(2);
    assertThat(plan.warnings()).isEmpty();
    assertThat(plan.describe()).contains("primary injector, spins, on CPU [1]");
  }

  @Test
  void hasNoThreadsForWhatIsOff() {
    ThreadPlan plan =
        ThreadPlan.of(
            CpuConfig.MAXCPU.wishes(OptimizeFor.LATENCY),
            OptimizeFor.LATENCY,
            null,
            false,
            false,
            16,
            Map.of());

    assertThat(threads(plan, Place.PRIMARY)).isEqualTo("MUX BUS-SENDER INJECTOR");
  }

  @Test
  void aThreadThatFoundNoCpuWaits() {
    ThreadPlan plan = plan(CpuConfig.DEFAULT, OptimizeFor.LATENCY, true, 1);

    assertThat(plan.waiting(Place.PRIMARY)).isEqualTo(Waiting.SPIN);
    assertThat(plan.waiting(Place.BACKUP)).isEqualTo(Waiting.BLOCK);
  }

  @Test
  void aGroupHasTheThreadsOfThePlan() {
    ThreadPlan small = plan(CpuConfig.MINCPU, OptimizeFor.LATENCY, true, 2).built();
    ThreadPlan large = plan(CpuConfig.MAXCPU, OptimizeFor.LATENCY, true, 2).built();

    assertThat(threads(small, Place.PRIMARY)).isEqualTo("MUX link-reader");
    assertThat(threads(small, Place.BACKUP)).isEqualTo("mux link-reader");
    assertThat(small.linkWaiting(Place.PRIMARY)).isEqualTo(Waiting.BLOCK);
    assertThat(small.options(Place.PRIMARY, 5))
        .usingRecursiveComparison()
        .isEqualTo(new ThreadOptions().setReplyQueueDepth(5));
    assertThat(large.linkWaiting(Place.PRIMARY)).isEqualTo(Waiting.BLOCK);
    assertThat(large.options(Place.PRIMARY, 5))
        .usingRecursiveComparison()
        .isEqualTo(
            new ThreadOptions()
                .setPersister(Waiting.BLOCK)
                .setSender(Waiting.BLOCK)
                .setDispatcher(Waiting.BLOCK)
                .setReplies(Waiting.BLOCK)
                .setReplyQueueDepth(5));
    assertThat(large.options(Place.BACKUP, 5).getReplies()).isNull();
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

    ThreadPlan plan = plan(Replication.HAZELCAST, config, optimize, true, cpus, masks).built();

    assertThat(threads(plan, Place.PRIMARY)).isEqualTo(primary);
    assertThat(threads(plan, Place.BACKUP)).isEqualTo(backup);
    assertThat(plan.blocking().has(Place.PRIMARY, Task.LINK_READER)).isFalse();
    assertThat(plan.blocking().has(Place.BACKUP, Task.LINK_READER)).isFalse();
  }

  @Test
  void aLinkThatNobodyPollsHasAReaderOnItsCpus() {
    CpuMask second = CpuMask.of(1);
    Map<Task, CpuMask> masks = Map.of(Task.LINK_READER, second);

    ThreadPlan polled = plan(CpuConfig.DEFAULT, OptimizeFor.LATENCY, true, 2, masks).built();
    ThreadPlan asleep = polled.blocking();

    assertThat(threads(polled, Place.PRIMARY)).isEqualTo("MUX");
    assertThat(threads(polled, Place.BACKUP)).isEqualTo("MUX");
    assertThat(threads(asleep, Place.PRIMARY)).isEqualTo("mux link-reader");
    assertThat(threads(asleep, Place.BACKUP)).isEqualTo("mux link-reader");
    assertThat(asleep.cpus(Place.PRIMARY, Task.LINK_READER)).isSameAs(second);
    assertThat(asleep.cpus(Place.BACKUP, Task.LINK_READER)).isSameAs(CpuMask.ANY);
    assertThat(asleep.linkWaiting(Place.PRIMARY)).isEqualTo(Waiting.BLOCK);
    assertThat(asleep.blocking()).isEqualTo(asleep);
  }

  @Test
  void aLinkWhoseReaderHasACpuIsPolled() {
    ThreadPlan plan = plan(CpuConfig.MAXCPU, OptimizeFor.LATENCY, true, 16).built();

    assertThat(plan.linkWaiting(Place.PRIMARY)).isEqualTo(Waiting.SPIN);
    assertThat(plan.options(Place.BACKUP, 1).getDispatcher()).isEqualTo(Waiting.SPIN);
  }
}
