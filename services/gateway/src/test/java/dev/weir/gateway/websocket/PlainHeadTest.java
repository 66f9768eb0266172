package dev.weir.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainHeadTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":0}",
        "{\"id\":17}",
        "{\"id\":2147483647}",
        "{\"id\":2147483648}",
        "{\"id\":999999999999999999}",
        "{\"id\":\"\"}",
        "{\"id\":\"a b}{\"}",
        "{\"id\":\"0e8d-17\"}"
      })
  void readsWhatJsonReads(String head) {
    assertThat(id(head)).isEqualTo(new JsonObject(head).getValue("id"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{\"id\":}",
        "{\"id\":\"}",
        "{\"id\":\"a\\\"}",
        "{\"id\":01}",
        "{\"id\":-1}",
        "{\"id\":1.5}",
        "{\"id\":1e3}",
        "{\"id\":1000000000000000000}",
        "{\"id\":null}",
        "{\"id\":true}",
        "{\"id\":\"\u00fc\"}",
        "{\"id\":\"a\\n\"}",
        "{\"id\":\"a\",\"op\":\"cancel\"}",
        "{\"id\":1,\"id\":2}",
        "{\"Id\":1}",
        "{ \"id\":1}",
        "{\"id\":1]"
      })
  void leavesAnyOtherHeadToJson(String head) {
    assertThat(id(head)).isNull();
  }

  @Test
  void whatItReadsIsWhatJsonReads() {
    long seed = Long.getLong("weir.seed", 17);
    Random random = new Random(seed);
    String characters = "0123456789\"\\{}:,-+.eE a\u00fc\n";
    int read = 0;
    for (int i = 0; i < 200_000; i++) {
      StringBuilder value = new StringBuilder();
      int length = 1 + random.nextInt(5);
      for (int c = 0; c < length; c++) {
        value.append(characters.charAt(random.nextInt(characters.length())));
      }
      String head = "{\"id\":" + (random.nextBoolean() ? value : "\"" + value + "\"") + "}";
      Object id = id(head);
      if (id != null) {
        read++;
        assertThat(id).as("%s, seed %d", head, seed).isEqualTo(new JsonObject(head).getValue("id"));
      }
    }
    assertThat(read).isGreaterThan(1_000);
  }

  @Test
  void aFrameIsTheOneThatJsonMakes() {
    Buffer body = Buffer.buffer("body");
    for (Object id : new Object[] {0, 17, Long.MAX_VALUE, -5, "", "a b}", "0e8d"}) {
      Buffer asJson = SocketFrame.binary(new JsonObject().put("id", id), body);
      assertThat(PlainHead.frame(id, body)).isEqualTo(asJson);
      assertThat(PlainHead.frame(id, body.getBytes())).isEqualTo(asJson);
    }
    for (String id : new String[] {"\"", "\\", "\n", "\u00fc", "\u007f"}) {
      assertThat(PlainHead.frame(id, body)).isNull();
    }
  }

  @Test
  void aTextIsTheOneThatJsonMakes() {
    Object[] bodies = {null, true, false, 0, -17, Integer.MIN_VALUE, Long.MAX_VALUE};
    for (Object id : new Object[] {0, 17, Long.MAX_VALUE, -5, "", "a b}", "0e8d"}) {
      for (Object body : bodies) {
        assertThat(PlainHead.text(id, body))
            .isEqualTo(SocketFrame.text(new JsonObject().put("id", id), body));
      }
    }
    assertThat(PlainHead.text("\"", true)).isNull();
    for (Object body : new Object[] {1.0, "text", new JsonObject(), new byte[0]}) {
      assertThat(PlainHead.text(1, body)).isNull();
    }
  }

  private static Object id(String head) {
    Buffer bytes = Buffer.buffer("xy").appendString(head).appendString("}");
    return PlainHead.id(bytes, 2, bytes.length() - 1);
  }
}
