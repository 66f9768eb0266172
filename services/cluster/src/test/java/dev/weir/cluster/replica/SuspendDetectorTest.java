package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SuspendDetectorTest {
  private static final long MS = 1_000_000;

  private long dayMs = 7_000_000;
  private long nowNs = -3 * MS;

  /** How long the thread stands still when it next reads the time of day. */
  private long stopMs;

  private final SuspendDetector detector =
      new SuspendDetector(
          "group",
          new ReplicaClock() {
            @Override
            public long nanoTime() {
              return nowNs;
            }

            @Override
            public long timeMs() {
              pass(stopMs);
              stopMs = 0;
              return dayMs;
            }
          });

  private void pass(long ms) {
    dayMs += ms;
    nowNs += ms * MS;
  }

  @Test
  void aStopOfTheProcessIsNoSuspension() {
    pass(60_000);
    assertThat(detector.wasSuspended(nowNs)).isFalse();
  }

  @Test
  void aTimeOfDayThatJumpsAheadIsSeenOnce() {
    dayMs += 21;
    assertThat(detector.wasSuspended(nowNs)).isTrue();
    assertThat(detector.wasSuspended(nowNs)).isFalse();
    dayMs += 500;
    assertThat(detector.wasSuspended(nowNs)).isTrue();
  }

  @Test
  void aTimeOfDayThatIsSetBackIsNoSuspensionAndTheNextOneIsSeen() {
    dayMs -= 5_000;
    assertThat(detector.wasSuspended(nowNs)).isFalse();
    dayMs += 500;
    assertThat(detector.wasSuspended(nowNs)).isTrue();
  }

  @Test
  void aTimeOfDayThatIsSetRightSlowlyIsNoSuspension() {
    for (int i = 0; i < 1_000; i++) {
      pass(10);
      dayMs++;
      assertThat(detector.wasSuspended(nowNs)).isFalse();
    }
  }

  @Test
  void aThreadThatStandsStillBetweenTheTwoClocksIsNoSuspension() {
    stopMs = 3_000;
    assertThat(detector.wasSuspended(nowNs)).isFalse();
    assertThat(detector.wasSuspended(nowNs)).isFalse();
    dayMs += 500;
    assertThat(detector.wasSuspended(nowNs)).isTrue();
  }
}
