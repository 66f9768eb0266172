package dev.weir.group.example;

import dev.weir.group.GroupMessage;
import dev.weir.group.GroupProcessor;
import dev.weir.group.GroupState;
import dev.weir.group.RefusedException;
import dev.weir.group.Serde;
import dev.weir.group.Table;
import io.vertx.core.json.JsonObject;

/**
 * Wallets, each with its key; amounts in cents. Version 1 kept a number for each wallet, in EUR.
 * Version 2 knows other currencies, and keeps a JSON object.
 */
public class Wallets implements GroupProcessor<JsonObject> {
  @Override
  public int version() {
    return 2;
  }

  @Override
  public Object handle(GroupMessage<JsonObject> message, GroupState state) {
    String currency = message.body().getString("currency", "EUR");
    if (state.version() < 2 && !currency.equals("EUR")) {
      throw new RefusedException(1003, "other currencies wait until all members are upgraded");
    }
    Table<JsonObject> wallets = state.table("wallets", serde(state.version()));
    JsonObject wallet = wallets.get(message.key());
    if (wallet != null && !wallet.getString("currency").equals(currency)) {
      throw new RefusedException(1004, "the wallet is in " + wallet.getString("currency"));
    }
    long cents = wallet == null ? 0 : wallet.getLong("cents");
    JsonObject changed = wallet(cents + message.body().getLong("cents"), currency);
    wallets.put(message.key(), changed);
    return changed;
  }

  /** Reads values of both versions, and writes those of one. */
  static Serde<JsonObject> serde(int version) {
    return Serde.of(
        wallet ->
            version < 2 ? Serde.LONG.encode(wallet.getLong("cents")) : Serde.JSON.encode(wallet),
        bytes ->
            bytes.length == Long.BYTES
                ? wallet(Serde.LONG.decode(bytes), "EUR")
                : Serde.JSON.decode(bytes));
  }

  private static JsonObject wallet(long cents, String currency) {
    return new JsonObject().put("cents", cents).put("currency", currency);
  }
}
