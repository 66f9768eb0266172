package dev.weir.bench.cluster.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.member.ProcessCluster;
import dev.weir.bench.cluster.network.MemberNetwork;
import dev.weir.bench.cluster.network.ProxyNetwork;
import dev.weir.bench.report.Progress;
import dev.weir.testing.Await;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class FailoverTest {
  private static final int RATE_PER_SEC = 2000;
  private static final long CALM_MS = 300;

  @TempDir Path directory;

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("bench-"))
        .toList();
  }

  @AfterEach
  void nothingIsLeft() {
    Await.until(() -> "threads end: " + threads(), () -> threads().isEmpty());
  }

  private FailoverOutcome run(Fault fault) throws Exception {
    return run(fault, "tcp", fault.network(Assertions::fail));
  }

  private FailoverOutcome run(Fault fault, String replication, MemberNetwork network)
      throws Exception {
    return run(new FailoverPlan(fault, replication, 1, RATE_PER_SEC, false, CALM_MS), network);
  }

  private FailoverOutcome run(FailoverPlan plan, MemberNetwork network) throws Exception {
    Fault fault = plan.fault();
    ProcessCluster group =
        new ProcessCluster(
            network,
            directory.resolve(fault.toString()),
            new ProcessCluster.Plan(plan.replication(), fault.witness(), plan.memberArguments()));
    return new FailoverRun(plan, group, Progress.NONE).run();
  }

  @Test
  void nothingIsLostOrHandledTwiceWhenThePrimaryIsKilledAndComesBack() throws Exception {
    FailoverOutcome outcome = run(Fault.KILL);

    assertThat(outcome.verdict().toString()).isEqualTo("OK");
    // More if the machine was so busy that a primary was not heard for as long as a takeover takes.
    assertThat(outcome.events().epoch()).isGreaterThanOrEqualTo(2);
    assertThat(outcome.driven().counts().answered()).isPositive();
  }

  @Test
  void aLongPlanDoesNotMeasureItsFirstFault() throws Exception {
    FailoverOutcome outcome =
        run(
            new FailoverPlan(Fault.KILL, "tcp", 1, RATE_PER_SEC, true, CALM_MS),
            Fault.KILL.network(Assertions::fail));

    assertThat(outcome.verdict().toString()).isEqualTo("OK");
    assertThat(outcome.events().epoch()).as("two were killed").isGreaterThanOrEqualTo(3);
    assertThat(outcome.rounds()).hasSize(1);
    assertThat(outcome.driven().all().histogram().getTotalCount())
        .as("replies since the first fault")
        .isLessThan(outcome.driven().counts().answered());
  }

  @Test
  void aPrimaryThatWasHaltedAcceptsNothingWhenItGoesOn() throws Exception {
    FailoverOutcome outcome = run(Fault.STOP);

    assertThat(outcome.verdict().toString()).isEqualTo("OK");
    assertThat(outcome.rounds().get(0).acceptedByOld()).isZero();
    assertThat(outcome.rounds().get(0).outage().ms()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "hazelcast"})
  void aPrimaryThatIsCutOffByProxiesAcceptsNothing(String replication) throws Exception {
    FailoverOutcome outcome = run(Fault.CUT, replication, new ProxyNetwork(ProcessCluster.NAMES));

    assertThat(outcome.verdict().toString()).isEqualTo("OK");
    assertThat(outcome.events().epoch()).as("the other took over").isGreaterThanOrEqualTo(2);
    assertThat(outcome.rounds().get(0).acceptedByOld()).isZero();
    assertThat(outcome.rounds().get(0).outage().ms()).isPositive();
  }
}
