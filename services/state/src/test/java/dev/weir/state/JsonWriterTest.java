package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonWriterTest {
  @Test
  void writesWhatTheCodecOfVertxWrites() {
    JsonObject all =
        new JsonObject()
            .put("text", "plain \" \\ \n\r\t\b\f \u0001 \u007f \u00e9 \u20ac /")
            .put("long", Long.MIN_VALUE)
            .put("int", 7)
            .put("double", 1.5e300)
            .put("float", 0.1f)
            .put("decimal", new BigDecimal("1E+3"))
            .put("whole", new BigInteger("123456789012345678901234567890"))
            .put("true", true)
            .putNull("null")
            .put("object", new JsonObject().put("empty", new JsonObject()))
            .put("array", new JsonArray().add(1).add("x").addNull().add(new JsonArray()))
            .put("map", Map.of("a", List.of(1, 2)))
            .put("\"name\"", false);

    assertThat(new String(JsonWriter.encode(all))).isEqualTo(all.toBuffer().toString());
  }

  @Test
  void leavesValuesOfOtherTypesToTheCodec() {
    JsonObject all =
        new JsonObject()
            .put("bytes", new byte[] {1, 2, 3})
            .put("buffer", Buffer.buffer("x"))
            .put("instant", Instant.EPOCH)
            .put("nan", Double.NaN);

    assertThat(new String(JsonWriter.encode(all))).isEqualTo(all.toBuffer().toString());
  }

  @Test
  void writesTextsOfAllLengths() {
    Random random = new Random(1);
    for (int chars = 0; chars < 5_000; chars += 37) {
      StringBuilder text = new StringBuilder();
      while (text.length() < chars) {
        text.appendCodePoint(
            switch (random.nextInt(4)) {
              case 0 -> random.nextInt(0x80);
              case 1 -> 0x80 + random.nextInt(0x1000);
              case 2 -> 0x1F600 + random.nextInt(50);
              default -> 'x';
            });
      }
      JsonObject object = new JsonObject().put("t", text.toString());

      assertThat(new JsonObject(Buffer.buffer(JsonWriter.encode(object)))).isEqualTo(object);
    }
  }

  @Test
  void leavesHalfACharacterToTheCodecAndRefusesWhatIsNestedTooDeeply() {
    JsonObject deep = new JsonObject();
    for (int i = 0; i < 1_001; i++) {
      deep = new JsonObject().put("d", deep);
    }
    JsonObject nested = deep;

    JsonObject half = new JsonObject().put("t", "x\ud800");

    assertThat(Formats.encode(half)).isEqualTo(half.toBuffer().getBytes());
    assertThatThrownBy(() -> Formats.encode(nested)).isInstanceOf(DocumentException.class);
  }
}
