package dev.weir.cluster.transport.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GapTimerTest {
  private static final long TIMEOUT_NS = 600;
  private static final long MAX_STEP_NS = 100;
  private static final long TICK_NS = 50;

  private final GapTimer gap = new GapTimer(TIMEOUT_NS, MAX_STEP_NS);
  private long nowNs = -1_000;

  /** Lets time pass and looks often meanwhile; what the last look found. */
  private long pass(long ns) {
    long found = 0;
    for (long untilNs = nowNs + ns; nowNs < untilNs; ) {
      nowNs += TICK_NS;
      found = gap.look(nowNs);
    }
    return found;
  }

  @Test
  void isOverWhenItHasBeenSeenForTooLong() {
    pass(1_000);
    gap.open();
    assertThat(pass(TIMEOUT_NS)).isZero();
    long found = pass(2 * TICK_NS);
    assertThat(found).isPositive();
    assertThat(gap.isOpen(found)).isTrue();
  }

  @Test
  void isNotOverWhenTheFrameHasCome() {
    gap.open();
    pass(TIMEOUT_NS);
    gap.close();
    assertThat(pass(10 * TIMEOUT_NS)).isZero();
    assertThat(gap.isOpen(0)).isFalse();
  }

  @Test
  void manyShortGapsAreNoLongOne() {
    for (int i = 0; i < 100; i++) {
      gap.open();
      assertThat(pass(TIMEOUT_NS)).isZero();
      gap.openNext();
      assertThat(pass(TIMEOUT_NS)).isZero();
      gap.close();
    }
  }

  @Test
  void furtherFramesAreTheSameGap() {
    gap.open();
    pass(TIMEOUT_NS);
    gap.open();
    assertThat(pass(2 * TICK_NS)).isPositive();
  }

  @Test
  void aStopOfTheProcessMakesNoGapOld() {
    gap.open();
    pass(TICK_NS);
    nowNs += 100 * TIMEOUT_NS;
    assertThat(pass(TICK_NS)).isZero();
    assertThat(pass(TIMEOUT_NS)).isPositive();
  }

  @Test
  void oneThatWasClosedMeanwhileIsNotOpenThoughAnotherOneIs() {
    gap.open();
    long found = pass(2 * TIMEOUT_NS);
    gap.close();
    gap.open();
    assertThat(gap.isOpen(found)).isFalse();
  }
}
