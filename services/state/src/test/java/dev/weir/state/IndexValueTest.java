package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.state.index.IndexValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IndexValueTest {
  /** In their order. */
  private static final List<Object> VALUES =
      List.of(
          false,
          true,
          Double.NEGATIVE_INFINITY,
          new BigInteger("-9999999999999999999999"),
          Long.MIN_VALUE,
          -1e18,
          -(1L << 53) - 1,
          -(1L << 53),
          -1.5,
          -1,
          -Double.MIN_VALUE,
          0,
          Double.MIN_VALUE,
          0.5,
          1,
          1.5,
          2L,
          1L << 53,
          (1L << 53) + 1,
          Long.MAX_VALUE - 1024,
          1e30,
          Double.POSITIVE_INFINITY,
          "",
          "\0",
          "\0a",
          "a",
          "a\0",
          "a\0b",
          "aa",
          "ab",
          "b",
          "\u00e4",
          "\u20ac",
          "\ud83d\ude97");

  @Test
  void theFormsHaveTheOrderOfTheValues() {
    for (int i = 0; i < VALUES.size(); i++) {
      for (int j = 0; j < VALUES.size(); j++) {
        int order =
            Arrays.compareUnsigned(IndexValue.of(VALUES.get(i)), IndexValue.of(VALUES.get(j)));
        assertThat(Integer.signum(order))
            .as("%s against %s", VALUES.get(i), VALUES.get(j))
            .isEqualTo(Integer.compare(i, j));
        Integer exact = IndexValue.compare(VALUES.get(i), VALUES.get(j));
        if (exact != null) {
          assertThat(Integer.signum(exact)).isEqualTo(Integer.compare(i, j));
        }
      }
    }
  }

  @Test
  void equalValuesOfDifferentTypesHaveOneForm() {
    assertThat(IndexValue.of(1)).isEqualTo(IndexValue.of(1.0)).isEqualTo(IndexValue.of(1L));
    assertThat(IndexValue.of(0.0)).isEqualTo(IndexValue.of(-0.0));
    assertThat(IndexValue.of(new BigInteger("1000000000000000000000000000000")))
        .isEqualTo(IndexValue.of(1e30))
        .isEqualTo(IndexValue.of(new BigDecimal("1e30")));
    assertThat(IndexValue.compare(1, 1.0)).isZero();
  }

  @Test
  void onlyTextsNumbersAndTruthValuesAreIndexed() {
    assertThat(IndexValue.of(null)).isNull();
    assertThat(IndexValue.of(List.of())).isNull();
    assertThat(IndexValue.of(Map.of())).isNull();
    assertThat(IndexValue.compare(1, "1")).isNull();
    assertThat(IndexValue.compare(null, "1")).isNull();
  }
}
