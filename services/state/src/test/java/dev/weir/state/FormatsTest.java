package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormatsTest {
  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", " {\"a\": [1, -2.5e3, {\"b\": null}], \"c\": \"\u00e9\"} "})
  void takesAnObjectOfJson(String json) {
    Formats.check(utf8(json), DocumentFormat.JSON);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "1",
        "null",
        "{\"a\":1",
        "{\"a\":}",
        "{\"a\" 1}",
        "{a:1}",
        "{} {}",
        "{\"a\":01}",
        "{\"a\":1e999}",
        "{\"a\":NaN}",
        "{\"a\":\"\u0001\"}",
        "{\"a\":1,}"
      })
  void refusesWhatIsNoObjectOfJson(String json) {
    assertThatThrownBy(() -> Formats.check(utf8(json), DocumentFormat.JSON))
        .isInstanceOf(DocumentException.class);
  }

  @Test
  void refusesANumberThatTheDecoderDoesNotTakeAndWhatIsNestedTooDeeply() {
    assertThatThrownBy(
            () -> Formats.check(utf8("{\"a\":" + "1".repeat(1_001) + "}"), DocumentFormat.JSON))
        .isInstanceOf(DocumentException.class);
    assertThatThrownBy(() -> Formats.check(utf8("{\"a\":".repeat(1_001)), DocumentFormat.JSON))
        .isInstanceOf(DocumentException.class);
    assertThatThrownBy(() -> Formats.check(hex("a16161".repeat(1_001) + "01"), DocumentFormat.CBOR))
        .hasMessageContaining("nested");
  }

  /** What the check takes can be decoded: or else a document could be written and never read. */
  @Test
  void decodesEverythingThatTheCheckTakes() {
    Random random = new Random(7);
    byte[] json =
        utf8("{\"a\":[1,-2.5e3,{\"b\":null}],\"c\":\"\u00e9\ud83d\ude00\\n\",\"d\":true}");
    byte[] cbor = Formats.encode(Formats.decode(json, DocumentFormat.JSON), DocumentFormat.CBOR);
    int taken = 0;
    for (int i = 0; i < 40_000; i++) {
      DocumentFormat format = DocumentFormat.values()[i % 2];
      byte[] bytes = (format == DocumentFormat.JSON ? json : cbor).clone();
      for (int change = 0; change <= random.nextInt(3); change++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      byte[] cut =
          random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
      try {
        Formats.check(cut, format);
      } catch (DocumentException refused) {
        continue;
      }
      taken++;
      assertThat(Formats.decode(cut, format)).isNotNull();
    }
    assertThat(taken).isGreaterThan(1_000);
  }

  @Test
  void writesAndReadsCbor() {
    JsonObject all =
        new JsonObject()
            .put("text", "\u00e9\u20ac\ud83d\ude00".repeat(100))
            .put("numbers", new JsonArray().add(0).add(23).add(24).add(255).add(256).add(65_536))
            .put("negative", new JsonArray().add(-1).add(-24).add(-25).add(Long.MIN_VALUE))
            .put("long", Long.MAX_VALUE)
            .put("large", new BigInteger("18446744073709551615"))
            .put("fraction", 0.1)
            .put("truth", true)
            .putNull("nothing")
            .put(
                "object",
                new JsonObject().put("empty", new JsonObject()).put("b", new JsonArray()));
    byte[] bytes = Formats.encode(all, DocumentFormat.CBOR);

    Formats.check(bytes, DocumentFormat.CBOR);

    assertThat(Formats.decode(bytes, DocumentFormat.CBOR)).isEqualTo(all);
    assertThat(new String(Formats.encode(Formats.decode(bytes, DocumentFormat.CBOR))))
        .isEqualTo(all.encode().replace("\\uD83D\\uDE00", "\ud83d\ude00"));
  }

  /** Examples of RFC 8949, appendix A. */
  @Test
  void readsWhatOthersWrite() {
    assertThat(
            Formats.decode(hex("bf 61 61 01 61 62 9f 02 03 ff ff"), DocumentFormat.CBOR).encode())
        .isEqualTo("{\"a\":1,\"b\":[2,3]}");
    assertThat(Formats.decode(hex("a1 61 61 f9 3e 00"), DocumentFormat.CBOR).getDouble("a"))
        .isEqualTo(1.5);
    assertThat(Formats.decode(hex("a1 61 61 f9 c4 00"), DocumentFormat.CBOR).getDouble("a"))
        .isEqualTo(-4.0);
    assertThat(Formats.decode(hex("a1 61 61 fa 47 c3 50 00"), DocumentFormat.CBOR).getDouble("a"))
        .isEqualTo(100_000.0);
    assertThat(Formats.decode(hex("a1 61 61 39 03 e7"), DocumentFormat.CBOR).getInteger("a"))
        .isEqualTo(-1_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "80",
        "a1",
        "a1 61",
        "a1 61 61",
        "a1 01 01",
        "a1 61 61 41 00",
        "a1 61 61 c1 00",
        "a1 61 61 f9 7c 00",
        "a1 61 61 f7",
        "a1 61 61 7f 61 61 ff",
        "a1 61 61 61 ff",
        "a2 61 61 01 61 61 02",
        "a2 61 61 01 78 01 61 02",
        "bf 78 01 61 f6 79 00 01 61 01 ff",
        "a1 61 61 01 00",
        "a1 61 61 9b 7f ff ff ff ff ff ff ff",
        "bf 61 61"
      })
  void refusesWhatIsNoObjectOfCbor(String cbor) {
    assertThatThrownBy(() -> Formats.check(hex(cbor), DocumentFormat.CBOR))
        .isInstanceOf(DocumentException.class)
        .hasMessageContaining("CBOR");
    assertThatThrownBy(() -> Formats.decode(hex(cbor), DocumentFormat.CBOR))
        .isInstanceOf(DocumentException.class);
  }
}
