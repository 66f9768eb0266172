package dev.weir.bench.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuMaskTest {
  private static final int CPUS = 8;

  private static CpuMask parse(String text) {
    return CpuMask.parse(text, CPUS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"[1];[1]", "[0,7];[0,7]", "[ 2 , 3 ];[2,3]", "2;[1]", "0x5;[0,2]", "128;[7]"})
  void readsListsAndMasks(String text, String cpus) {
    assertThat(parse(text)).hasToString(cpus);
    assertThat(parse(text).isAny()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[8]", "256", "[]", "[1", "[a]", "[-1]", "first", "0", "-1", "[1,99999]"})
  void refusesWhatNamesNoCpuOfThisMachine(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'"
                + text
                + "' is not a list of the CPUs 0 to 7, such as [0], or a mask of them, such as"
                + " 0x1");
  }

  @Test
  void anyCpuWithoutAMask() {
    assertThat(CpuMask.ANY.isAny()).isTrue();
    assertThat(CpuMask.ANY).hasToString("any");
    CpuMask.ANY.bind();
  }

  @Test
  void bindsTheCurrentThread() throws InterruptedException {
    Thread thread = new Thread(() -> CpuMask.parse("[0]").bind());
    thread.start();
    thread.join();
  }
}
