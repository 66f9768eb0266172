package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GroupClockTest {
  private static final long HOUR_MS = 3_600_000;

  private long dayMs = 1_000 * HOUR_MS;
  private long nowNs = -5_000_000;

  private final GroupClock clock =
      new GroupClock(
          new ReplicaClock() {
            @Override
            public long nanoTime() {
              return nowNs;
            }

            @Override
            public long timeMs() {
              return dayMs;
            }
          });

  private void pass(long ms) {
    dayMs += ms;
    nowNs += ms * 1_000_000;
  }

  @Test
  void timeIsTheTimeOfDay() {
    assertThat(clock.timeMs(0)).isEqualTo(dayMs);
    pass(17);
    assertThat(clock.timeMs(dayMs - 17)).isEqualTo(dayMs);
  }

  @Test
  void timeGoesOnAfterAPrimaryWhoseClockWasAheadUntilTheTimeOfDayHasComeUpToIt() {
    long lastMs = dayMs + HOUR_MS;
    assertThat(clock.timeMs(lastMs)).isEqualTo(lastMs);
    pass(1_000);
    assertThat(clock.timeMs(lastMs)).isEqualTo(lastMs + 900);
    pass(5 * HOUR_MS);
    assertThat(clock.timeMs(lastMs + 900)).isGreaterThan(dayMs);
    pass(6 * HOUR_MS);
    assertThat(clock.timeMs(lastMs)).isEqualTo(dayMs);
    pass(5);
    assertThat(clock.timeMs(lastMs)).isEqualTo(dayMs);
  }

  @Test
  void manyShortStepsCountInFull() {
    long startMs = dayMs + HOUR_MS;
    long lastMs = startMs;
    for (int i = 0; i < 1_000; i++) {
      pass(1);
      lastMs = clock.timeMs(lastMs);
    }
    assertThat(lastMs - startMs).isBetween(890L, 900L);
  }

  @Test
  void timeGoesOnFromThePrimarysWhereThatIsFurther() {
    clock.timeMs(dayMs + HOUR_MS);
    pass(1_000);
    long lastMs = dayMs + 2 * HOUR_MS;
    assertThat(clock.timeMs(lastMs)).isEqualTo(lastMs);
    pass(1_000);
    assertThat(clock.timeMs(lastMs)).isEqualTo(lastMs + 900);
  }

  @Test
  void timeGoesOnWhenTheTimeOfDayIsSetBack() {
    long lastMs = clock.timeMs(0);
    dayMs -= HOUR_MS;
    assertThat(clock.timeMs(lastMs)).isEqualTo(lastMs);
    pass(1_000);
    assertThat(clock.timeMs(lastMs)).isEqualTo(lastMs + 900);
  }
}
