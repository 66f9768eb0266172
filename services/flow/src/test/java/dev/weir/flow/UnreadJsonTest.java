package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnreadJsonTest {
  private static final Buffer OBJECT = Buffer.buffer(" {\"b\": 1, \"a\": [2]}\n");
  private static final Buffer ARRAY = Buffer.buffer("[1, {\"a\": 2}]");

  @Test
  void anObjectIsItsTextUntilAValueIsAskedFor() {
    JsonObject object = (JsonObject) UnreadJson.of(OBJECT);
    JsonObject received = object.copy();
    assertThat(object.toBuffer()).isSameAs(OBJECT);
    assertThat(UnreadJson.text(received)).isSameAs(OBJECT);
    assertThat(received.getInteger("b")).isEqualTo(1);
    assertThat(UnreadJson.text(received)).isNull();
    assertThat(received).isEqualTo(new JsonObject().put("b", 1).put("a", new JsonArray().add(2)));
    assertThat(received.encode()).isEqualTo("{\"b\":1,\"a\":[2]}");
    assertThat(object.toBuffer()).hasToString("{\"b\":1,\"a\":[2]}");
  }

  @Test
  void anArrayIsItsTextUntilAValueIsAskedFor() {
    JsonArray array = (JsonArray) UnreadJson.of(ARRAY);
    JsonArray received = array.copy();
    assertThat(array.toBuffer()).isSameAs(ARRAY);
    assertThat(UnreadJson.text(received)).isSameAs(ARRAY);
    assertThat(received).hasSize(2);
    assertThat(UnreadJson.text(received)).isNull();
    assertThat(received).isEqualTo(new JsonArray().add(1).add(new JsonObject().put("a", 2)));
    assertThat(array.toBuffer()).hasToString("[1,{\"a\":2}]");
  }

  @Test
  void bothCanBeChanged() {
    JsonObject object = (JsonObject) UnreadJson.of(OBJECT);
    object.put("c", 3).remove("b");
    assertThat(object.encode()).isEqualTo("{\"a\":[2],\"c\":3}");
    assertThat(object.containsKey("b")).isFalse();
    JsonArray array = (JsonArray) UnreadJson.of(ARRAY);
    array.add(3).remove(0);
    array.set(0, "x");
    assertThat(array.encode()).isEqualTo("[\"x\",3]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "1", "\"{\"", "null", "x{}"})
  void anyOtherTextIsNeither(String text) {
    assertThat(UnreadJson.of(Buffer.buffer(text))).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{\"a\":}", "{} {}", "{\"a\":1}x"})
  void aTextThatIsNoJsonFailsWhenAValueIsAskedFor(String text) {
    JsonObject object = (JsonObject) UnreadJson.of(Buffer.buffer(text));
    assertThatThrownBy(() -> object.getValue("a")).isInstanceOf(DecodeException.class);
  }
}
