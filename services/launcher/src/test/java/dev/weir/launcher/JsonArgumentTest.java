package dev.weir.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonArgumentTest {
  /** Quoted once too often, a word without quotes, and cut off. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'{\"echo\":{\"apiKey\":\"swordfish\"}}'",
        "{\"echo\":{\"apiKey\":swordfish}}",
        "{\"echo\":{\"apiKey\":\"swordfish"
      })
  void anErrorShowsNoSecretOfJsonThatCannotBeRead(String json) {
    assertThatThrownBy(() -> JsonArgument.read("-conf", json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-conf is ")
        .message()
        .doesNotContain("swordfish");
  }

  @Test
  void aFileThatCannotBeReadIsNamed() {
    assertThatThrownBy(() -> JsonArgument.read("-conf", "none.json"))
        .hasMessage("-conf is none.json, which is no file that can be read");
  }

  @Test
  void jsonIsReadAsItIs() {
    assertThat(JsonArgument.read("-conf", " {\"a\":1}").getInteger("a")).isEqualTo(1);
  }
}
