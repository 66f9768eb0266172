package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EncodingTest {

  @ParameterizedTest
  @EnumSource
  void findsAnEncodingByItsName(Encoding encoding) {
    assertThat(Encoding.parse(encoding.toString())).isSameAs(encoding);
  }

  @ParameterizedTest
  @CsvSource({
    "xbuf2.serial,sbe.direct",
    "xbuf2.random,sbe.indirect",
    "xbuf2.direct,sbe.direct",
    "xbuf2,sbe.direct",
    "quark.serial,sbe.direct",
    "quark.random,sbe.indirect"
  })
  void refusesAProprietaryEncodingAndSaysWhatToUse(String name, String instead) {
    assertThatThrownBy(() -> Encoding.parse(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("proprietary")
        .hasMessageContaining("use " + instead);
  }

  @Test
  void refusesAnUnknownEncodingAndNamesAllThatThereAre() {
    assertThatThrownBy(() -> Encoding.parse("json"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--encoding is json")
        .hasMessageContaining("sbe.direct, sbe.indirect, protobuf.serial, protobuf.random");
  }
}
