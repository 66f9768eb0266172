package dev.weir.group.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.group.GroupMessage;
import dev.weir.group.GroupState;
import dev.weir.group.MemoryState;
import dev.weir.group.RefusedException;
import dev.weir.group.Serde;
import dev.weir.testing.DocumentedExample;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The example of an upgrade in docs/groups.md, on a state in memory. */
class WalletsTest {
  private final MemoryState state = new MemoryState();
  private final Wallets wallets = new Wallets();

  /** What version 1 of the example was. */
  private static long handleAsBefore(GroupMessage<JsonObject> message, GroupState state) {
    Long cents = state.table("wallets", Serde.LONG).get(message.key());
    long changed = (cents == null ? 0 : cents) + message.body().getLong("cents");
    state.table("wallets", Serde.LONG).put(message.key(), changed);
    return changed;
  }

  private static GroupMessage<JsonObject> pays(String key, long cents, String currency) {
    JsonObject body = new JsonObject().put("cents", cents).put("currency", currency);
    return new GroupMessage<>(body, null, key, 0);
  }

  private static JsonObject wallet(long cents, String currency) {
    return new JsonObject().put("cents", cents).put("currency", currency);
  }

  @Test
  void thePageShowsTheExampleThatIsCompiled() throws IOException {
    new DocumentedExample(Wallets.class, "docs/groups.md").assertShown();
  }

  @Test
  void whileAMemberIsOldBothUnderstandWhatTheOtherWrote() {
    state.setVersion(1);
    assertThat(handleAsBefore(pays("ann", 500, null), state)).isEqualTo(500);
    assertThat(wallets.handle(pays("ann", 100, "EUR"), state)).isEqualTo(wallet(600, "EUR"));
    assertThat(handleAsBefore(pays("ann", 1, null), state)).isEqualTo(601);
    assertThatThrownBy(() -> wallets.handle(pays("bob", 1, "SEK"), state))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("until all members are upgraded");
  }

  @Test
  void onceAllAreNewOldValuesAreReadAndNewOnesWritten() {
    state.setVersion(1);
    handleAsBefore(pays("ann", 500, null), state);
    state.setVersion(2);
    assertThat(wallets.handle(pays("ann", 100, "EUR"), state)).isEqualTo(wallet(600, "EUR"));
    assertThat(wallets.handle(pays("bob", 7, "SEK"), state)).isEqualTo(wallet(7, "SEK"));
    assertThat(wallets.handle(pays("ann", 1, "EUR"), state)).isEqualTo(wallet(601, "EUR"));
    assertThatThrownBy(() -> wallets.handle(pays("bob", 1, "EUR"), state))
        .hasMessage("the wallet is in SEK");
  }
}
