package dev.weir.group.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.group.GroupMessage;
import dev.weir.group.GroupTimer;
import dev.weir.group.MemoryState;
import dev.weir.testing.DocumentedExample;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The example of docs/groups.md, on a state in memory. */
class OffersTest {
  private final MemoryState state = new MemoryState();
  private final Offers offers = new Offers();

  private static GroupMessage<JsonObject> about(String offer, JsonObject body, long atMs) {
    return new GroupMessage<>(body, null, offer, atMs);
  }

  @Test
  void thePageShowsTheExampleThatIsCompiled() throws IOException {
    new DocumentedExample(Offers.class, "docs/groups.md").assertShown();
  }

  @Test
  void anOfferCanBeReadUntilItsTimerFires() {
    JsonObject cents = new JsonObject().put("cents", 500);
    assertThat(offers.handle(about("o-1", cents, 1_000), state))
        .isEqualTo(new JsonObject().put("offer", "o-1").put("endsMs", 61_000L));
    assertThat(offers.read(about("o-1", null, 2_000), state))
        .isEqualTo(new JsonObject().put("cents", 500L));
    GroupTimer timer = state.pendingTimers().get("end of o-1");
    assertThat(timer.dueMs()).isEqualTo(61_000);
    offers.onTimer(timer, state);
    assertThat(state.size()).isZero();
  }
}
