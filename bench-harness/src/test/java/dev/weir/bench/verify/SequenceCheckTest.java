package dev.weir.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SequenceCheckTest {

  private static SequenceCheck take(SequenceCheck check, long... numbers) {
    for (long number : numbers) {
      check.accept(number);
    }
    return check;
  }

  @Test
  void isOkWhenEveryNumberCameOnceInOrder() {
    SequenceCheck check = SequenceCheck.ordered(200);
    for (long number = 0; number < 200; number++) {
      assertThat(check.accept(number)).isTrue();
    }
    assertThat(check.verdict()).hasToString("OK");
  }

  @Test
  void isOkWhenAllOfThePartThatWasSentCameAndNothingElse() {
    assertThat(take(SequenceCheck.ordered(200), 0, 1, 2).verdict(3)).hasToString("OK");
    assertThat(take(SequenceCheck.ordered(200), 0, 2).verdict(3)).hasToString("FAIL: lost 1");
    assertThat(take(SequenceCheck.ordered(200), 0, 1, 2, 3).verdict(3))
        .hasToString("FAIL: a number that was not sent: 3");
  }

  @Test
  void isOkWhenAllButThoseThatWereRefusedCame() {
    SequenceCheck two = take(SequenceCheck.ordered(3), 0, 2);
    assertThat(two.verdictWithout(1)).hasToString("OK");
    assertThat(two.verdictWithout(0)).hasToString("FAIL: lost 1");
    assertThat(two.verdictWithout(2)).hasToString("FAIL: came although it was refused: 1");
  }

  @Test
  void catchesLoss() {
    assertThat(take(SequenceCheck.ordered(4), 0, 1, 3).verdict()).hasToString("FAIL: lost 1");
  }

  @Test
  void catchesADuplicate() {
    SequenceCheck check = take(SequenceCheck.unordered(130), 128, 128);
    assertThat(check.duplicates()).isEqualTo(1);
    assertThat(check.distinct()).isEqualTo(1);
  }

  @Test
  void catchesAReorderInOrderedModeOnly() {
    assertThat(take(SequenceCheck.ordered(3), 0, 2, 1).verdict())
        .hasToString("FAIL: out of order 1");
    assertThat(take(SequenceCheck.unordered(3), 0, 2, 1).verdict()).hasToString("OK");
  }

  @Test
  void countsNumbersThatWereNeverSent() {
    assertThat(take(SequenceCheck.unordered(1), 0, 1, -1).verdict())
        .hasToString("FAIL: unknown numbers 2");
  }

  @Test
  void tellsAGapFromADuplicateAcrossWordsOfTheBitmap() {
    SequenceCheck check = take(SequenceCheck.ordered(128), 0, 64, 63, 127);
    assertThat(check.duplicates()).isZero();
    assertThat(check.orderBreaks()).isEqualTo(1);
    assertThat(check.missing()).isEqualTo(124);
  }

  @Test
  void refusesAnEmptySequence() {
    assertThatThrownBy(() -> SequenceCheck.ordered(0)).hasMessage("size must be at least 1: 0");
  }
}
