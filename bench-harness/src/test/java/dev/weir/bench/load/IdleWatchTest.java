package dev.weir.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.load.IdleWatch.Watched;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class IdleWatchTest {
  private final ManualClock clock = new ManualClock(0);
  private final FakeRound round = new FakeRound();
  private final IdleWatch watch =
      new IdleWatch(
          round, Runnable::run, Load.of(1).clock(clock).idleTimeout(Duration.ofSeconds(10)));

  @Test
  void stopsARoundThatStandsStillForTheIdleTimeout() {
    watch.check();
    clock.advanceNs(Duration.ofSeconds(9).toNanos());
    watch.check();
    assertThat(round.stopped).isFalse();
    clock.advanceNs(Duration.ofSeconds(1).toNanos());
    watch.check();
    assertThat(round.stopped).isTrue();
  }

  @Test
  void leavesASlowRoundAloneAsLongAsItMoves() {
    for (int minute = 0; minute < 10; minute++) {
      round.progress++;
      watch.check();
      clock.advanceNs(Duration.ofMinutes(1).toNanos());
    }
    assertThat(round.stopped).isFalse();
  }

  private static final class FakeRound implements Watched {
    private long progress;
    private boolean stopped;

    @Override
    public long progress() {
      return progress;
    }

    @Override
    public void stop() {
      stopped = true;
    }

    @Override
    public CompletableFuture<RoundResult> result() {
      return new CompletableFuture<>();
    }
  }
}
