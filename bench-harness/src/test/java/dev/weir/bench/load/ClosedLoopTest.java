package dev.weir.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.bench.record.Recording;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ClosedLoopTest {
  private final ManualClock clock = new ManualClock(1_000);
  private final CapturingTarget target = new CapturingTarget();

  private ClosedLoop loop(Load load, int inFlight) {
    ClosedLoop loop = new ClosedLoop(target, load.clock(clock), inFlight);
    loop.start();
    return loop;
  }

  @Test
  void noMoreAreInFlightThanThereAre() {
    assertThat(ClosedLoop.inFlight(10_000, 600)).isEqualTo(600);
    assertThat(ClosedLoop.inFlight(400, 600)).isEqualTo(400);
  }

  @Test
  void keepsExactlyTheGivenNumberInFlight() {
    ClosedLoop loop = loop(Load.of(10), 3);
    assertThat(target.operations).containsExactly(0L, 1L, 2L);
    for (int reply = 0; reply < 10; reply++) {
      loop.onReply(reply, 0, Reply.OK);
      assertThat(target.operations).hasSize(Math.min(10, reply + 4));
    }
  }

  @Test
  void completesWithTheLastReplyAndCountsFromTheFirstSend() {
    ClosedLoop loop = loop(Load.of(2), 2);
    clock.advanceNs(500_000_000);
    loop.onReply(1, 0, Reply.OK);
    assertThat(loop.result()).isNotDone();
    clock.advanceNs(500_000_000);
    loop.onReply(0, 0, Reply.OK);
    RoundResult result = loop.result().getNow(null);
    assertThat(result.elapsedNs()).isEqualTo(1_000_000_000);
    assertThat(result.opsPerSec()).isEqualTo(2.0);
    assertThat(result.verdict().isOk()).isTrue();
    assertThat(result.loop()).isEqualTo("closed");
  }

  @Test
  void answersWithinSendDoNotRecurse() throws InterruptedException {
    RoundResult result = new ClosedLoop(new NoOpTarget(), Load.of(1_000_000), 1).run(Runnable::run);
    assertThat(result.verdict()).hasToString("OK");
    assertThat(result.tally().received()).isEqualTo(1_000_000);
  }

  @Test
  void aDuplicateReplyNeitherSendsNorCountsAsReceived() {
    ClosedLoop loop = loop(Load.of(3), 1);
    loop.onReply(0, 0, Reply.OK);
    loop.onReply(0, 0, Reply.OK);
    assertThat(target.operations).containsExactly(0L, 1L);
    loop.onReply(1, 0, Reply.OK);
    loop.onReply(2, 0, Reply.OK);
    assertThat(loop.result().getNow(null).verdict()).hasToString("FAIL: duplicates 1");
  }

  @Test
  void repliesOutOfOrderFailOnlyWhereOrderIsPromised() {
    assertThat(verdictOfSwappedReplies(Load.of(2))).isEqualTo("OK");
    assertThat(verdictOfSwappedReplies(Load.of(2).inOrder())).isEqualTo("FAIL: out of order 1");
  }

  private String verdictOfSwappedReplies(Load load) {
    ClosedLoop loop = loop(load, 2);
    loop.onReply(1, 0, Reply.OK);
    loop.onReply(0, 0, Reply.OK);
    return loop.result().getNow(null).verdict().toString();
  }

  @Test
  void corruptAndUnknownRepliesFailTheVerdict() {
    ClosedLoop loop = loop(Load.of(2), 2);
    loop.onReply(7, 0, Reply.OK);
    loop.onReply(0, 0, Reply.CORRUPT);
    loop.onReply(1, 0, Reply.OK);
    assertThat(loop.result().getNow(null).verdict()).hasToString("FAIL: corrupt 2");
  }

  @Test
  void aTargetThatThrowsIsAFailedOperationWithItsCause() throws InterruptedException {
    Target broken =
        (operation, startTimeNs, sink) -> {
          throw new IllegalStateException("no link");
        };
    RoundResult result = new ClosedLoop(broken, Load.of(4), 2).run(Runnable::run);
    assertThat(result.verdict())
        .hasToString("FAIL: failed 4 (first: java.lang.IllegalStateException: no link)");
    assertThat(result.opsPerSec()).isZero();
  }

  @Test
  void whatNeverCameBackIsLostAfterTheIdleTimeout() throws InterruptedException {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Target losesOne =
          (operation, startTimeNs, sink) -> {
            if (operation != 2) {
              thread.execute(() -> sink.onReply(operation, startTimeNs, Reply.OK));
            }
          };
      // Longer than the thread may stand still between two looks at it.
      Load load = Load.of(5).idleTimeout(Duration.ofMillis(200));
      RoundResult result = new ClosedLoop(losesOne, load, 5).run(thread);
      assertThat(result.verdict()).hasToString("FAIL: lost 1");
    } finally {
      thread.shutdown();
    }
  }

  @Test
  void recordsLatencyFromTheSendOfEachOperation() {
    Recording recording = Recording.singleWriter();
    ClosedLoop loop = loop(Load.of(2).recordingInto(recording), 1);
    clock.advanceNs(5_000);
    loop.onReply(0, target.startTimesNs.get(0), Reply.OK);
    clock.advanceNs(9_000);
    loop.onReply(1, target.startTimesNs.get(1), Reply.OK);
    assertThat(recording.histogram().getMinNonZeroValue()).isBetween(4_990L, 5_010L);
    assertThat(recording.histogram().getMaxValue()).isBetween(8_990L, 9_010L);
  }

  @Test
  void refusesSenselessNumbers() {
    assertThatThrownBy(() -> new ClosedLoop(target, Load.of(1), 0))
        .hasMessage("inFlight must be at least 1: 0");
    assertThatThrownBy(() -> Load.of(0)).hasMessage("operations must be at least 1: 0");
    assertThatThrownBy(() -> Load.of(1).idleTimeout(Duration.ZERO))
        .hasMessageStartingWith("idleTimeout must be positive");
  }
}
