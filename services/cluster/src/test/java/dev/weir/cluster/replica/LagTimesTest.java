package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LagTimesTest {
  private final LagTimes lag = new LagTimes();

  private void sample(long atMs, long end) {
    lag.sample(TimeUnit.MILLISECONDS.toNanos(atMs), end);
  }

  private long behindMs(long position, long nowMs) {
    return TimeUnit.NANOSECONDS.toMillis(
        lag.behindNs(position, TimeUnit.MILLISECONDS.toNanos(nowMs)));
  }

  @Test
  void nobodyIsBehindAnEmptyHistory() {
    assertThat(behindMs(0, 5_000)).isZero();
    sample(0, 0);
    assertThat(behindMs(0, 5_000)).isZero();
  }

  @Test
  void whoLacksAMessageIsBehindSinceItWasThere() {
    sample(0, 10);
    sample(1_000, 20);
    sample(2_000, 30);
    assertThat(behindMs(30, 5_000)).isZero();
    assertThat(behindMs(29, 5_000)).isEqualTo(3_000);
    assertThat(behindMs(19, 5_000)).isEqualTo(4_000);
    assertThat(behindMs(9, 5_000)).isEqualTo(5_000);
  }

  @Test
  void timeWithoutMessagesIsNoLag() {
    sample(0, 10);
    sample(3_600_000, 10);
    sample(3_600_100, 11);
    assertThat(behindMs(10, 3_600_400)).isEqualTo(300);
  }

  @Test
  void anEndThatCameTooSoonForASampleIsTakenInLater() {
    sample(0, 10);
    sample(LagTimes.STEP_MS - 1, 11);
    assertThat(behindMs(10, 200)).isZero();
    sample(LagTimes.STEP_MS, 11);
    assertThat(behindMs(10, 200)).isEqualTo(200 - LagTimes.STEP_MS);
  }

  @Test
  void aHistoryThatIsTruncatedBeginsAnew() {
    sample(0, 10);
    sample(1_000, 20);
    sample(2_000, 15);
    assertThat(behindMs(9, 5_000)).isEqualTo(3_000);
    assertThat(behindMs(15, 5_000)).isZero();
  }

  @Test
  void aLagOfADayIsKnownToATenthAndNeverTooLong() {
    long steps = 24 * 3_600_000 / LagTimes.STEP_MS;
    for (long i = 0; i <= steps; i++) {
      sample(i * LagTimes.STEP_MS, i);
    }
    long nowMs = steps * LagTimes.STEP_MS;
    for (long missing = 1; missing <= steps; missing += 1 + missing / 7) {
      long position = steps - missing;
      long trueMs = nowMs - (position + 1) * LagTimes.STEP_MS;
      assertThat(behindMs(position, nowMs))
          .as("a member that lacks %s of %s", missing, steps)
          .isBetween(trueMs - trueMs / 10, trueMs);
    }
  }

  @Test
  void theLastSecondsAreKnownExactly() {
    for (int i = 1; i <= 10 * LagTimes.SAMPLES; i++) {
      sample(i * LagTimes.STEP_MS, i);
      long nowMs = i * LagTimes.STEP_MS;
      for (int missing = 1; missing <= Math.min(i, LagTimes.SAMPLES); missing += 9) {
        assertThat(behindMs(i - missing, nowMs)).isEqualTo((missing - 1) * LagTimes.STEP_MS);
      }
    }
  }
}
