package dev.weir.group.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.group.GroupMessage;
import dev.weir.group.GroupState;
import dev.weir.group.GroupTimer;
import dev.weir.group.Serde;
import dev.weir.group.Table;
import dev.weir.group.Timers;
import dev.weir.testing.DocumentedExample;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The example of docs/groups.md, on a state in memory. */
class OffersTest {
  private final Map<String, Object> values = new HashMap<>();
  private final Map<String, GroupTimer> timers = new HashMap<>();
  private final Offers offers = new Offers();

  private final GroupState state =
      new GroupState() {
        @Override
        public <V> Table<V> table(String name, Serde<V> serde) {
          return new InMemory<>();
        }

        @Override
        public Timers timers() {
          return new Timers() {
            @Override
            public void set(String name, long dueMs, Buffer body) {
              timers.put(name, new GroupTimer(name, body, dueMs, dueMs));
            }

            @Override
            public void cancel(String name) {
              timers.remove(name);
            }
          };
        }
      };

  @SuppressWarnings("unchecked")
  private final class InMemory<V> implements Table<V> {
    @Override
    public V get(String key) {
      return (V) values.get(key);
    }

    @Override
    public void put(String key, V value) {
      values.put(key, value);
    }

    @Override
    public void remove(String key) {
      values.remove(key);
    }
  }

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
    GroupTimer timer = timers.get("end of o-1");
    assertThat(timer.dueMs()).isEqualTo(61_000);
    offers.onTimer(timer, state);
    assertThat(values).isEmpty();
  }
}
