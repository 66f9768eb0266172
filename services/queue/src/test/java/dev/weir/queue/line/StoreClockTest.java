package dev.weir.queue.line;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StoreClockTest {

  @Test
  void isNeverAheadOfTheClockOfTheMachine() {
    for (int start = 0; start < 20; start++) {
      StoreClock clock = new StoreClock(InstantSource.system());
      long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10);
      while (System.nanoTime() < endNs) {
        long nowMs = clock.nowMs();
        assertThat(nowMs).isLessThanOrEqualTo(System.currentTimeMillis());
      }
    }
  }

  @Test
  void followsAJumpForwardAndIgnoresOneBack() {
    AtomicLong sourceMs = new AtomicLong(1_000_000);
    StoreClock clock = new StoreClock(() -> Instant.ofEpochMilli(sourceMs.get()));
    sourceMs.addAndGet(50_000);
    long forward = clock.nowMs();
    assertThat(forward).isBetween(1_049_999L, 1_050_000L + 5_000);
    sourceMs.addAndGet(-40_000);
    assertThat(clock.nowMs()).isGreaterThanOrEqualTo(forward);
  }
}
