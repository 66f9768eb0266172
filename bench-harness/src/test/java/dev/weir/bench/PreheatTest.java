package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.bench.report.Progress;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PreheatTest {
  private static final int PASS_MS = 1_000;

  private long compiledMs = 7;
  private long nowNs = -5;
  private int passes;

  /** Each pass takes a second, of which the compilers take as much as said. */
  private Preheat.Outcome run(int mostPasses, int... compilationMs) throws Exception {
    return new Preheat(mostPasses, () -> compiledMs, () -> nowNs)
        .run(
            "test",
            Progress.NONE,
            () -> {
              compiledMs += compilationMs[passes++];
              nowNs += TimeUnit.MILLISECONDS.toNanos(PASS_MS);
            });
  }

  @Test
  void endsAfterTheFirstPassInWhichTheCompilersHadHardlyAnythingToDo() throws Exception {
    assertThat(run(9, 1_700, 400, 100, 99, 500)).isEqualTo(new Preheat.Outcome(4, 0.099));
    assertThat(passes).isEqualTo(4);
  }

  @Test
  void endsAfterTheMostPassesIfTheyNeverRest() throws Exception {
    Preheat.Outcome outcome = run(3, IntStream.generate(() -> 250).limit(9).toArray());

    assertThat(passes).isEqualTo(3);
    assertThat(outcome.note())
        .isEqualTo("preheat: 3 passes, in the last the compilers worked 25 % of the time");
  }

  @Test
  void needsAPass() {
    assertThatThrownBy(() -> new Preheat(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("mostPasses must be at least 1: 0");
  }
}
