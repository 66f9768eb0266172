package dev.weir.bench.eventbus.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.bench.eventbus.http.HttpCase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBodiesTest {
  private static final long SAMPLED = 0;
  private static final int BYTES = 1_000;

  private final JsonBodies bodies = new JsonBodies(BYTES);

  @ParameterizedTest
  @ValueSource(ints = {62, 71, 74, 250, 330, 10_068, 100_073, 500_073})
  void isAnObjectOfThatSizeWhichComesBackAsItWas(int sizeBytes) {
    JsonBodies sized = new JsonBodies(sizeBytes);
    Buffer body = (Buffer) sized.take(7);

    assertThat(body.length()).isEqualTo(sizeBytes);
    assertThat(new JsonObject(body).encode()).isEqualTo(body.toString());
  }

  @Test
  void theStateHasTheFieldsOfAState() {
    JsonObject state = new JsonObject((Buffer) new JsonBodies(HttpCase.STATE_BYTES).take(1));

    assertThat(state.fieldNames()).startsWith("id", "name").endsWith("check").hasSizeGreaterThan(8);
  }

  @Test
  void theLargeOnesHaveAListOfItems() {
    JsonObject order = new JsonObject((Buffer) new JsonBodies(10_071).take(1));

    assertThat(order.getJsonArray("items")).hasSizeGreaterThan(200);
  }

  @Test
  void refusesASizeInWhichTheEndsHaveNoRoom() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new JsonBodies(61))
        .withMessage("sizeBytes must be at least 62: 61");
  }

  @Test
  void matchesItsOwnOperationOnlyAsBytesAndAsAnObject() {
    for (long operation = 0; operation < 10; operation++) {
      Buffer bytes = (Buffer) bodies.take(operation);
      for (Object body : new Object[] {bytes, new JsonObject(bytes)}) {
        assertThat(bodies.operationOf(body)).isEqualTo(operation);
        assertThat(bodies.matches(operation, body)).isTrue();
        assertThat(bodies.matches(operation + 1, body)).isFalse();
      }
    }
  }

  @Test
  void aChangeInTheMiddleIsSeenInASample() {
    Buffer bytes = (Buffer) bodies.take(SAMPLED);
    JsonObject object = new JsonObject(bytes).put("text", "changed");
    bytes.setByte(BYTES / 2, (byte) (bytes.getByte(BYTES / 2) + 1));

    assertThat(bodies.matches(SAMPLED, bytes)).isFalse();
    assertThat(bodies.matches(SAMPLED, object)).isFalse();
  }

  @Test
  void somethingElseIsNoBody() {
    for (Object other : new Object[] {"text", new JsonObject(), Buffer.buffer("{}")}) {
      assertThat(bodies.operationOf(other)).isEqualTo(-1);
      assertThat(bodies.matches(-1, other)).isFalse();
    }
  }

  @Test
  void aBodyThatCameBackIsUsedAgain() {
    Object first = bodies.take(1);
    bodies.giveBack(first);

    assertThat(bodies.take(2)).isSameAs(first);
    assertThat(bodies.matches(2, first)).isTrue();
  }
}
