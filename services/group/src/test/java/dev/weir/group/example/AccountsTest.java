package dev.weir.group.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.group.GroupMessage;
import dev.weir.group.MemoryState;
import dev.weir.group.RefusedException;
import dev.weir.group.Serde;
import dev.weir.testing.DocumentedExample;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example of the tutorial. A processor is tested without a cluster, on tables in memory. */
class AccountsTest {
  private final MemoryState state = new MemoryState();
  private final Accounts accounts = new Accounts();

  private JsonObject handle(JsonObject body) {
    return accounts.handle(new GroupMessage<>(body, null, null, 0), state);
  }

  private long cents(String account) {
    return state.table("balances", Serde.LONG).get(account);
  }

  @ParameterizedTest
  @ValueSource(classes = {Accounts.class, AccountsMember.class})
  void theTutorialShowsTheExampleThatIsCompiled(Class<?> shown) throws IOException {
    new DocumentedExample(shown, "docs/tutorial.md").assertShown();
  }

  @Test
  void moneyMovesAndNoAccountIsOverdrawn() {
    handle(new JsonObject().put("to", "ann").put("cents", 500));
    JsonObject reply =
        handle(new JsonObject().put("from", "ann").put("to", "bob").put("cents", 200));
    assertThat(reply).isEqualTo(new JsonObject().put("account", "bob").put("cents", 200L));
    JsonObject tooMuch = new JsonObject().put("from", "ann").put("to", "bob").put("cents", 301);
    assertThatThrownBy(() -> handle(tooMuch))
        .isInstanceOf(RefusedException.class)
        .hasMessage("ann has too little");
    assertThat(cents("ann")).isEqualTo(300);
    assertThat(cents("bob")).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"from\":\"ann\",\"to\":\"bob\",\"cents\":-100}",
        "{\"to\":\"ann\",\"cents\":0}",
        "{\"to\":\"ann\"}",
        "{\"from\":\"ann\",\"cents\":1}"
      })
  void aTransferOfNothingOrToNobodyIsRefused(String body) {
    assertThatThrownBy(() -> handle(new JsonObject(body))).isInstanceOf(RefusedException.class);
    assertThat(state.values).isEmpty();
  }
}
