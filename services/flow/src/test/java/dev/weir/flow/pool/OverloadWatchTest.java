package dev.weir.flow.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OverloadWatchTest {
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

  private final OverloadWatch watch = new OverloadWatch();

  private void handled(int times, long ms) {
    for (int i = 0; i < times; i++) {
      watch.handled(ms * MS, 1);
    }
  }

  @Test
  void nothingIsMeasuredBeforeARequestIsFoundLate() {
    handled(10, 8);
    assertThat(watch.isOn()).isFalse();
    assertThat(watch.neededNs()).isZero();
  }

  @Test
  void theFirstTimeCountsThreefold() {
    watch.foundLate();
    assertThat(watch.neededNs()).isZero();
    handled(1, 8);
    assertThat(watch.neededNs()).isEqualTo(24 * MS);
  }

  @Test
  void aSteadyTimeIsTheEstimate() {
    watch.foundLate();
    handled(100, 8);
    assertThat(watch.neededNs()).isBetween(8 * MS, 9 * MS);
  }

  @Test
  void anUnsteadyTimeIsEstimatedAboveMostOfItsValues() {
    watch.foundLate();
    for (int i = 0; i < 100; i++) {
      handled(1, 4 + i % 9);
    }
    assertThat(watch.neededNs()).isBetween(12 * MS, 25 * MS);
  }

  @Test
  void aHandlerThatIsFastAgainIsSoonKnownAsFast() {
    watch.foundLate();
    handled(10, 10_000);
    handled(100, 1);
    assertThat(watch.neededNs()).isLessThan(10 * MS);
  }

  @Test
  void theWatchEndsWhenNoRequestIsLateAnyMore() {
    watch.foundLate();
    handled(OverloadWatch.MESSAGES - 1, 8);
    assertThat(watch.isOn()).isTrue();
    watch.foundLate();
    watch.handled(8 * MS, OverloadWatch.MESSAGES);
    assertThat(watch.isOn()).isFalse();
    watch.foundLate();
    assertThat(watch.neededNs()).as("of the last overload").isZero();
  }
}
