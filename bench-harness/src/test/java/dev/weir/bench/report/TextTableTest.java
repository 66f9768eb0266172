package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void alignsNumbersRightAndTextLeft() {
    TextTable<Integer> table =
        new TextTable<>(List.of(0, 1))
            .column("name", List.of("a", "longer")::get)
            .column("ops", List.of(1_234_567.8, 12.34)::get)
            .column("n", Arrays.asList(null, 5)::get);
    assertThat(table.lines())
        .containsExactly(
            "name          ops  n",
            "------  ---------  -",
            "a       1,234,568",
            "longer" + "       12.3  5");
    assertThat(table.width()).isEqualTo(20);
  }

  @Test
  void leavesOutColumnsWithoutContent() {
    TextTable<String> table =
        new TextTable<>(List.of("x")).column("a", row -> row).column("b", row -> null);
    assertThat(table.lines()).containsExactly("a", "-", "x");
    assertThat(table.remove("a").remove("absent").lines()).isEmpty();
  }

  @Test
  void writesNumbersTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(Figures.text(1234567)).isEqualTo("1,234,567");
      assertThat(Figures.text(1.25)).isEqualTo("1.25");
    } finally {
      Locale.setDefault(before);
    }
  }
}
