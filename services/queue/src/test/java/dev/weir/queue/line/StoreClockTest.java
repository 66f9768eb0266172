package dev.weir.queue.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.MessageOptions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StoreClockTest {

  @Test
  void isNeverAheadOfTheClockOfTheMachine() {
    for (int start = 0; start < 20; start++) {
      StoreClock clock = new StoreClock(InstantSource.system(), System::nanoTime);
      long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10);
      while (System.nanoTime() < endNs) {
        long nowMs = clock.nowMs();
        assertThat(nowMs).isLessThanOrEqualTo(System.currentTimeMillis());
      }
    }
  }

  @Test
  void goesOnAtItsPaceWhenTheClockOfTheMachineIsSet() {
    AtomicLong timeOfDayMs = new AtomicLong(1_000_000);
    AtomicLong monotonicNs = new AtomicLong(7);
    StoreClock clock =
        new StoreClock(() -> Instant.ofEpochMilli(timeOfDayMs.get()), monotonicNs::get);
    MessageOptions in5s = MessageOptions.NONE.withNotBeforeMs(1_005_000);
    assertThat(clock.convert(in5s)).isSameAs(in5s);
    timeOfDayMs.addAndGet(50_000);
    monotonicNs.addAndGet(2_000_000_000);
    assertThat(clock.nowMs()).isEqualTo(1_002_000);
    assertThat(clock.leadMs()).isEqualTo(-48_000);
    assertThat(clock.convert(in5s.withNotBeforeMs(1_055_000)).notBeforeMs()).isEqualTo(1_007_000);
    timeOfDayMs.addAndGet(-140_000);
    assertThat(clock.nowMs()).isEqualTo(1_002_000);
    MessageOptions ever = MessageOptions.NONE.withExpiresAtMs(Long.MAX_VALUE);
    assertThat(clock.convert(ever).expiresAtMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void endsItsReadsOfAClockThatJumpsAtEachOfThem() {
    AtomicLong nowNs = new AtomicLong();
    StoreClock clock =
        new StoreClock(InstantSource.system(), () -> nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1)));
    assertThat(clock.nowMs()).isPositive();
    assertThat(clock.leadMs()).isPositive();
  }

  @Test
  void takesAPauseBetweenTheReadsOfTheTwoClocksForNoChangeOfEither() {
    AtomicLong nowMs = new AtomicLong(1_000_000);
    AtomicLong pauses = new AtomicLong(1);
    StoreClock clock =
        new StoreClock(
            () -> {
              if (pauses.getAndDecrement() > 0) {
                nowMs.addAndGet(5_000);
              }
              Instant timeOfDay = Instant.ofEpochMilli(nowMs.get());
              if (pauses.getAndDecrement() > 0) {
                nowMs.addAndGet(5_000);
              }
              return timeOfDay;
            },
            () -> TimeUnit.MILLISECONDS.toNanos(nowMs.get()));
    assertThat(clock.nowMs()).as("after a pause at the opening").isEqualTo(nowMs.get());
    for (int before = 1; before <= 2; before++) {
      pauses.set(before);
      assertThat(clock.leadMs()).isZero();
    }
  }
}
