package dev.weir.state.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.state.Document;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EncodedObjectTest {
  private static final String TEXT = "{ \"a\": 1, \"b\": {\"c\": [true, null]}, \"d\": 1.50 }";

  private final Document document =
      new Document("key", 1, 0, TEXT.getBytes(StandardCharsets.UTF_8));
  private final EncodedObject body = new EncodedObject(document);

  @Test
  void anotherNodeGetsTheBytesAsTheyAreKept() {
    assertThat(body.toBuffer()).isEqualTo(Buffer.buffer(TEXT));
    assertThat(body.encode()).isEqualTo(TEXT);
  }

  @Test
  void aReceiverOnThisNodeGetsAnOrdinaryObjectOfItsOwn() {
    JsonObject first = body.copy();
    assertThat(first.getClass()).isEqualTo(JsonObject.class);
    first.put("a", 2).getJsonObject("b").put("c", 3);
    assertThat(body.copy()).isEqualTo(new JsonObject(TEXT));
  }

  @Test
  void whoLooksInBetweenFindsTheMembers() {
    assertThat(body.fieldNames()).containsExactly("a", "b", "d");
    assertThat(body.containsKey("b")).isTrue();
    assertThat(body.containsKey("e")).isFalse();
    assertThat(body.getInteger("a")).isEqualTo(1);
    assertThat(body.size()).isEqualTo(3);
    assertThat(body.getMap()).isEqualTo(new JsonObject(TEXT).getMap());
  }
}
