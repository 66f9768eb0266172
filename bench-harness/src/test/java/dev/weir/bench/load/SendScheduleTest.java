package dev.weir.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SendScheduleTest {
  private static final long START_NS = 500;

  private final SendSchedule schedule = new SendSchedule(1e6);

  private void start() {
    schedule.start(START_NS);
  }

  @Test
  void operationsAreDueAnIntervalApart() {
    start();

    assertThat(schedule.dueNs(0)).isEqualTo(500);
    assertThat(schedule.dueNs(1)).isEqualTo(1_500);
    assertThat(schedule.isDue(1, 1_499)).isFalse();
    assertThat(schedule.isDue(1, 1_500)).isTrue();
  }

  @Test
  void roundingNeverAddsUp() {
    SendSchedule odd = new SendSchedule(3);
    odd.start(0);

    assertThat(odd.dueNs(3_000_000)).isEqualTo(1_000_000_000_000_000L);
  }

  @Test
  void aRateThatIsKeptHasNoLag() {
    start();
    for (long operation = 0; operation < 10; operation++) {
      schedule.markSent(schedule.dueNs(operation));
    }

    assertThat(schedule.late()).isZero();
    assertThat(schedule.pace()).isEqualTo(new Pace(1e6, 1e6, 0));
  }

  @Test
  void aStallIsChargedToAllThatWereDueInIt() {
    start();
    for (int operation = 0; operation < 10; operation++) {
      schedule.markSent(START_NS + 9_000);
    }

    assertThat(schedule.pace().maxLagNs()).isEqualTo(9_000);
    assertThat(schedule.late()).as("all but the last two").isEqualTo(8);
  }

  @Test
  void refusesARateThatIsNone() {
    assertThatIllegalArgumentException().isThrownBy(() -> new SendSchedule(0));
    assertThatIllegalArgumentException().isThrownBy(() -> new SendSchedule(Double.NaN));
  }
}
