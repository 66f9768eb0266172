package dev.weir.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TallyTest {

  @Test
  void aCompleteRunIsOk() {
    assertThat(Tally.complete(10).verdict()).hasToString("OK");
    assertThat(Tally.complete(10).good()).isEqualTo(10);
  }

  @Test
  void namesEveryCountThatIsWrong() {
    Tally tally = new Tally(10, 9, 8, 2, 1, 3, 4, "timeout");
    assertThat(tally.verdict())
        .hasToString(
            "FAIL: sent 9 of 10; lost 1; failed 2 (first: timeout); corrupt 1; duplicates 3;"
                + " out of order 4");
    assertThat(tally.good()).isEqualTo(5);
  }

  @Test
  void anOperationThatALimitRefusesFailsUnlessTheRateIsAsked() {
    Tally tally = new Tally(10, 10, 10, 2, 0, 0, 0, 0, null);
    assertThat(tally.verdict()).hasToString("FAIL: refused by a limit 2");
    assertThat(tally.verdict(Verdict.Kind.MISSED)).hasToString("MISSED: refused by a limit 2");
    assertThat(tally.plus(tally).refused()).isEqualTo(4);
    assertThat(tally.good()).isEqualTo(8);
  }

  @Test
  void verdictsAddUpAndSayWhereTheyComeFrom() {
    Verdict both = Verdict.ok().and(Verdict.fail("a").in("warm-up")).and(Verdict.fail("b"));
    assertThat(both).hasToString("FAIL: warm-up: a; b");
    assertThat(both.and(Verdict.ok())).isEqualTo(both);
  }
}
