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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The example of the tutorial. A processor is tested without a cluster, on tables in memory. */
class AccountsTest {
  private final MemoryState state = new MemoryState();
  private final Accounts accounts = new Accounts();

  private Object handle(String from, String to, long cents) {
    return state.handle(accounts, new GroupMessage<>(new Transfer(from, to, cents), null, null, 0));
  }

  private long cents(String account) {
    return state.table("balances", Serde.LONG).get(account);
  }

  @ParameterizedTest
  @ValueSource(classes = {Transfer.class, Accounts.class, AccountsMember.class})
  void theTutorialShowsTheExampleThatIsCompiled(Class<?> shown) throws IOException {
    new DocumentedExample(shown, "docs/tutorial.md").assertShown();
  }

  @Test
  void moneyMovesAndNoAccountIsOverdrawn() {
    handle(null, "ann", 500);
    assertThat(handle("ann", "bob", 200))
        .isEqualTo(new JsonObject().put("account", "bob").put("cents", 200L));
    assertThatThrownBy(() -> handle("ann", "bob", 301))
        .isInstanceOf(RefusedException.class)
        .hasMessage("ann has too little");
    assertThat(cents("bob")).as("nothing was paid in either").isEqualTo(200);
    assertThat(cents("ann")).isEqualTo(300);
    assertThat(state.sent())
        .containsExactly(
            "statements ann {\"account\":\"ann\",\"cents\":500}",
            "statements bob {\"account\":\"bob\",\"cents\":200}");
  }

  @ParameterizedTest
  @CsvSource({"ann,bob,-100", ",ann,0", "ann,,1"})
  void aTransferOfNothingOrToNobodyIsRefused(String from, String to, long cents) {
    assertThatThrownBy(() -> handle(from, to, cents)).isInstanceOf(RefusedException.class);
    assertThat(state.size()).isZero();
    assertThat(state.sent()).isEmpty();
  }
}
