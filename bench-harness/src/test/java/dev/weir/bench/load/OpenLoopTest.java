package dev.weir.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.record.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OpenLoopTest {
  private static final long START_NS = 7_000;
  private static final long MS = 1_000_000;

  private final ManualClock clock = new ManualClock(START_NS);
  private final CapturingTarget target = new CapturingTarget();
  private final Recording recording = Recording.singleWriter();

  private OpenLoop thousandPerSec(Target system, long operations) {
    Load load = Load.of(operations).recordingInto(recording).clock(clock);
    OpenLoop loop = new OpenLoop(system, load, 1_000);
    loop.begin();
    return loop;
  }

  private void paceToTheEnd(OpenLoop loop) {
    for (long next = loop.sendDue(); next != OpenLoop.ALL_SENT; next = loop.sendDue()) {
      clock.awaitUntil(next);
    }
  }

  @Test
  void sendsAtIntendedTimesOfTheRate() {
    paceToTheEnd(thousandPerSec(target, 4));
    assertThat(target.operations).containsExactly(0L, 1L, 2L, 3L);
    assertThat(target.startTimesNs)
        .containsExactly(START_NS, START_NS + MS, START_NS + 2 * MS, START_NS + 3 * MS);
    assertThat(clock.nanoTime()).isEqualTo(START_NS + 3 * MS);
  }

  @Test
  void intendedTimesDoNotDriftWhenTheIntervalIsNoWholeNumber() {
    OpenLoop loop = new OpenLoop(target, Load.of(3_000_001).clock(clock), 3_000_000);
    loop.begin();
    paceToTheEnd(loop);
    assertThat(target.startTimesNs.get(3_000_000)).isEqualTo(START_NS + 1_000 * MS);
  }

  @Test
  void saysWhenTheNextOperationIsDue() {
    OpenLoop loop = thousandPerSec(target, 3);
    assertThat(loop.sendDue()).isEqualTo(START_NS + MS);
    assertThat(loop.sendDue()).isEqualTo(START_NS + MS);
    assertThat(target.operations).containsExactly(0L);
  }

  @Test
  void chargesALateSenderFromTheIntendedTime() {
    Target answersAtOnce = new NoOpTarget();
    OpenLoop loop = thousandPerSec(answersAtOnce, 11);
    loop.sendDue();
    clock.advanceNs(10 * MS);
    loop.sendDue();
    RoundResult result = loop.result().getNow(null);
    assertThat(result.pace().maxLagNs()).isEqualTo(9 * MS);
    assertThat(recording.summary().maxUs()).isBetween(8_990.0, 9_010.0);
    assertThat(recording.histogram().getCountBetweenValues(4 * MS, 10 * MS)).isEqualTo(6);
  }

  @Test
  void anOperationThatALimitRefusesMissesTheRateAndFailsNothing() {
    Target refusesOne =
        (operation, startTimeNs, sink) ->
            sink.onReply(operation, startTimeNs, operation == 3 ? Reply.REFUSED : Reply.OK);
    OpenLoop loop = thousandPerSec(refusesOne, 5_000);
    paceToTheEnd(loop);
    RoundResult result = loop.result().getNow(null);
    assertThat(result.verdict()).hasToString("MISSED: refused by a limit 1");
    assertThat(result.tally().good()).isEqualTo(4_999);
    assertThat(recording.histogram().getTotalCount()).isEqualTo(4_999);
  }

  @Test
  void aStallOfTheSystemIsSeenByEveryOperationThatFellIntoIt() {
    Target stallsOnce =
        (operation, startTimeNs, sink) -> {
          if (operation == 5_000) {
            clock.advanceNs(200 * MS);
          }
          sink.onReply(operation, startTimeNs, Reply.OK);
        };
    OpenLoop loop = thousandPerSec(stallsOnce, 10_000);
    paceToTheEnd(loop);
    assertThat(loop.result().getNow(null).verdict()).hasToString("OK");
    LatencySummary latency = recording.summary().reportable();
    assertThat(latency.p50Us()).isZero();
    assertThat(latency.p99Us()).isBetween(98_000.0, 103_000.0);
    assertThat(latency.p999Us()).isBetween(188_000.0, 193_000.0);
    assertThat(latency.maxUs()).isBetween(199_000.0, 201_000.0);
    assertThat(recording.histogram().getCountBetweenValues(MS / 2, 300 * MS)).isEqualTo(200);
  }

  @Test
  void keepsTheVerdictWhenTheRateWasReached() {
    OpenLoop loop = thousandPerSec(new NoOpTarget(), 100);
    paceToTheEnd(loop);
    RoundResult result = loop.result().getNow(null);
    assertThat(result.verdict()).hasToString("OK");
    assertThat(result.pace().sentPerSec()).isEqualTo(1_000.0);
    assertThat(result.loop()).isEqualTo("open");
  }

  @Test
  void aTargetThatHoldsTheSenderUpMissesTheRate() {
    Target takesTwiceTheInterval =
        (operation, startTimeNs, sink) -> {
          clock.advanceNs(2 * MS);
          sink.onReply(operation, startTimeNs, Reply.OK);
        };
    OpenLoop loop = thousandPerSec(takesTwiceTheInterval, 1_000);
    paceToTheEnd(loop);
    assertThat(loop.result().getNow(null).verdict().toString())
        .startsWith("MISSED: target rate missed: sent 500/s of 1,000/s");
  }

  @Test
  void repliesThatFallFarBehindMissTheRate() {
    OpenLoop loop = thousandPerSec(target, 1_000);
    paceToTheEnd(loop);
    clock.advanceNs(1_000 * MS);
    for (long operation : target.operations) {
      loop.onReply(operation, target.startTimesNs.get((int) operation), Reply.OK);
    }
    assertThat(loop.result().getNow(null).verdict().toString())
        .startsWith("MISSED: target rate missed: done 500/s of 1,000/s");
  }

  @Test
  void noMoreOperationsAreInFlightThanTheBoundAllows() {
    OpenLoop loop = thousandPerSec(target, 4).atMost(2);
    clock.advanceNs(10 * MS);
    assertThat(loop.sendDue()).isGreaterThan(clock.nanoTime());
    assertThat(target.operations).containsExactly(0L, 1L);
    loop.onReply(0, START_NS, Reply.OK);
    loop.sendDue();
    assertThat(target.operations).containsExactly(0L, 1L, 2L);
  }

  @Test
  void stoppingCountsWhatIsOpenAsLostAndSendsNoMore() {
    OpenLoop loop = thousandPerSec(target, 2);
    loop.sendDue();
    loop.stop();
    clock.advanceNs(MS);
    assertThat(loop.sendDue()).isEqualTo(OpenLoop.ALL_SENT);
    assertThat(target.operations).containsExactly(0L);
    assertThat(loop.result().getNow(null).verdict().toString())
        .startsWith("FAIL: sent 1 of 2; lost 1");
  }

  @Test
  void runsOnAPacingThreadOfItsOwn() throws InterruptedException {
    RoundResult result = new OpenLoop(new NoOpTarget(), Load.of(50), 100_000).run();
    assertThat(result.tally().received()).isEqualTo(50);
  }

  @Test
  void refusesARateThatIsNotPositive() {
    assertThatThrownBy(() -> new OpenLoop(target, Load.of(1), 0))
        .hasMessage("ratePerSec must be above 0: 0.0");
  }
}
