package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.report.Progress;
import dev.weir.bench.verify.Tally;
import dev.weir.bench.verify.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterleavedTest {
  private final List<String> calls = new ArrayList<>();

  private RoundResult round(String which) {
    calls.add(which);
    return RoundResult.of("test", Tally.complete(1), 1_000);
  }

  @Test
  void roundsOfTheCasesTakeTurnsAfterAllWarmUps() throws Exception {
    List<Measurement> measured =
        new Interleaved(1, 2, Progress.NONE)
            .add(() -> round("a"), () -> calls.add("a warm"))
            .add(() -> round("b"), () -> calls.add("b warm"))
            .measure("test");

    assertThat(calls).containsExactly("a", "b", "a warm", "b warm", "a", "b", "a", "b");
    assertThat(measured).hasSize(2).allMatch(m -> m.rounds().size() == 2 && m.verdict().isOk());
  }

  @Test
  void aCaseThatFailsTakesNoFurtherPart() throws Exception {
    List<Measurement> measured =
        new Interleaved(1, 3, Progress.NONE)
            .add(() -> round("bad").and(Verdict.fail("lost 1")), () -> {})
            .add(() -> round("good"), () -> {})
            .measure("test");

    assertThat(calls).containsExactly("bad", "good", "good", "good", "good");
    assertThat(measured.get(0).verdict().reasons()).containsExactly("warm-up: lost 1");
    assertThat(measured.get(1).verdict().isOk()).isTrue();
  }
}
