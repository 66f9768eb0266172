package dev.weir.flow.impl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.MessageCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message on disk has all of its headers, or is refused. */
class EnvelopeHeadersTest {
  private final MessageCodec<Object, Object> codec = new Bodies().codecFor("text", null);

  private static MultiMap headers(int count) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    for (int i = 0; i < count; i++) {
      headers.add("h" + i, "v" + i);
    }
    return headers;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 32_767, 32_768, 65_535})
  void asManyComeBackAsWereGiven(int count) {
    MultiMap back = Envelope.of(codec, headers(count), "text").decodeHeaders();
    assertThat(back.size()).isEqualTo(count);
    assertThat(back.get("h" + (count - 1))).isEqualTo(count == 0 ? null : "v" + (count - 1));
  }

  @Test
  void moreThanCanBeCountedAreRefused() {
    MultiMap headers = headers(65_536);
    assertThatThrownBy(() -> Envelope.of(codec, headers, "text"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65536 headers");
  }
}
