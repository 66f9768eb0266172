package dev.weir.group.example;

import dev.weir.group.GroupMessage;
import dev.weir.group.GroupProcessor;
import dev.weir.group.GroupState;
import dev.weir.group.RefusedException;
import dev.weir.group.Serde;
import dev.weir.group.Table;
import io.vertx.core.json.JsonObject;

/** Accounts that are never overdrawn; amounts in cents. */
public class Accounts implements GroupProcessor<JsonObject> {
  @Override
  public JsonObject handle(GroupMessage<JsonObject> message, GroupState state) {
    Table<Long> balances = state.table("balances", Serde.LONG);
    String from = message.body().getString("from");
    String to = message.body().getString("to");
    Long cents = message.body().getLong("cents");
    if (to == null || cents == null || cents < 1) {
      throw new RefusedException(1002, "needed are to, and cents of 1 or more");
    }
    if (from != null) {
      long left = balance(balances, from) - cents;
      if (left < 0) {
        throw new RefusedException(1001, from + " has too little");
      }
      balances.put(from, left);
    }
    balances.put(to, Math.addExact(balance(balances, to), cents));
    return new JsonObject().put("account", to).put("cents", balance(balances, to));
  }

  private static long balance(Table<Long> balances, String account) {
    Long cents = balances.get(account);
    return cents == null ? 0 : cents;
  }
}
