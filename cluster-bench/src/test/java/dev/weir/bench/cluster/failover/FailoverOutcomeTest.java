package dev.weir.bench.cluster.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.failover.FailoverOutcome.FailoverRound;
import dev.weir.bench.cluster.member.GroupEvents;
import dev.weir.bench.cluster.steady.ReplyTimeline;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailoverOutcomeTest {
  private static final CarDriver.Counts GOOD = new CarDriver.Counts(100, 100, 0, 0, 0, 0, null);
  private static final long MS = 1_000_000;

  private final GroupEvents events = new GroupEvents(2, "processor");
  private long acceptedByOld;
  private String logProblem;
  private String problem;

  private FailoverRound round(long outageMs) {
    return new FailoverRound(
        0, MS, new ReplyTimeline.Gap(0, outageMs * MS), outageMs, acceptedByOld, logProblem);
  }

  private FailoverOutcome outcome(CarDriver.Counts counts) {
    Recording none = Recording.singleWriter();
    return new FailoverOutcome(
        new FailoverPlan(Fault.KILL, "tcp", 2, 10_000, false, 500),
        List.of(round(300), round(60_000)),
        new FailoverOutcome.Driven(counts, new ReplyTimeline(0), none, none, none),
        events,
        problem);
  }

  private String verdict(CarDriver.Counts counts) {
    return outcome(counts).verdict().toString();
  }

  @Test
  void aLongOutageFailsNothing() {
    assertThat(verdict(GOOD)).isEqualTo("OK");
  }

  @Test
  void everyCarThatIsNotAnsweredOnceFails() {
    assertThat(verdict(new CarDriver.Counts(100, 100, 0, 0, 3, 0, null)))
        .isEqualTo("FAIL: acknowledged and lost 3");
    assertThat(verdict(new CarDriver.Counts(100, 100, 0, 0, 0, 2, null)))
        .isEqualTo("FAIL: handled twice 2");
    assertThat(verdict(new CarDriver.Counts(100, 98, 0, 0, 0, 0, null)))
        .isEqualTo("FAIL: never answered 2");
    assertThat(verdict(new CarDriver.Counts(100, 99, 1, 0, 0, 0, "why")))
        .isEqualTo("FAIL: refused 1: why");
    assertThat(verdict(new CarDriver.Counts(100, 100, 0, 1, 0, 0, null)))
        .isEqualTo("FAIL: corrupt replies 1");
  }

  @Test
  void whatAnOldPrimaryAnswersFails() {
    acceptedByOld = 1;

    assertThat(verdict(GOOD)).isEqualTo("FAIL: answered by an old primary 2");
  }

  @Test
  void anEpochWithTwoPrimariesFails() {
    events.onLine("a", "a processor: primary, epoch 1");
    events.onLine("b", "b processor: primary, epoch 1");

    assertThat(verdict(GOOD)).isEqualTo("FAIL: primary again in an old epoch 1");
  }

  @Test
  void logsThatDifferFail() {
    logProblem = "they differ";
    problem = "not the same at the end";

    assertThat(verdict(GOOD))
        .isEqualTo(
            "FAIL: not the same at the end; logs after round 1: they differ;"
                + " logs after round 2: they differ");
  }

  @Test
  void theRowTellsTheOutages() {
    Row row = FailoverOutcome.addTo(Row.of("failover"), List.of(outcome(GOOD)));

    assertThat(row.extra())
        .containsEntry("outageMs", Spread.of(300.0, 60_000.0).toMap())
        .containsKey("timeline")
        .containsEntry("loop", "open")
        .containsKey("beforeUs")
        .containsEntry("lost", 0L);
  }

  @Test
  void theRowOfSeveralGroupsHasAllTheirRoundsAndFaults() {
    CarDriver.Counts bad = new CarDriver.Counts(100, 100, 0, 0, 3, 0, null);
    Row row = FailoverOutcome.addTo(Row.of("failover"), List.of(outcome(GOOD), outcome(bad)));

    assertThat(row.fields()).containsEntry("rounds", 4L);
    assertThat(row.extra())
        .containsEntry("outageMs", Spread.of(300.0, 60_000.0, 300.0, 60_000.0).toMap())
        .containsEntry("sent", 200L)
        .containsEntry("lost", 3L)
        .containsEntry("groups", 2)
        .doesNotContainKey("JVMs");
    assertThat(row.verdict().toString()).isEqualTo("FAIL: acknowledged and lost 3");
  }
}
