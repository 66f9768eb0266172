package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class MannWhitneyTest {

  @Test
  void threeRoundsApartHaveTwoOfTwentyOrders() {
    assertThat(MannWhitney.pValue(List.of(1.0, 2.0, 3.0), List.of(4.0, 5.0, 6.0)))
        .isCloseTo(0.1, within(1e-12));
    assertThat(MannWhitney.pValue(List.of(6.0, 4.0, 5.0), List.of(1.0, 2.0, 3.0)))
        .isCloseTo(0.1, within(1e-12));
  }

  /** As published tables of U have it: 5 and 5 values, U = 2 (two-sided 0.032). */
  @Test
  void agreesWithThePublishedTable() {
    assertThat(
            MannWhitney.pValue(List.of(1.0, 2.0, 3.0, 4.0, 7.0), List.of(5.0, 6.0, 8.0, 9.0, 10.0)))
        .isCloseTo(8.0 / 252, within(1e-12));
  }

  @Test
  void equalSamplesAndEmptyOnesAreNoDifference() {
    assertThat(MannWhitney.pValue(List.of(1.0, 1.0, 1.0), List.of(1.0, 1.0, 1.0))).isEqualTo(1);
    assertThat(MannWhitney.pValue(List.of(), List.of(1.0))).isEqualTo(1);
  }
}
