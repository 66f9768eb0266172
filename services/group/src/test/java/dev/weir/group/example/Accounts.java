package dev.weir.group.example;

import dev.weir.group.GroupMessage;
import dev.weir.group.GroupProcessor;
import dev.weir.group.GroupState;
import dev.weir.group.RefusedException;
import dev.weir.group.Serde;
import dev.weir.group.Table;
import io.vertx.core.json.JsonObject;

/** Accounts that are never overdrawn; amounts in cents. */
public class Accounts implements GroupProcessor<Transfer> {
  @Override
  public Object handle(GroupMessage<Transfer> message, GroupState state) {
    Transfer transfer = message.body();
    if (transfer.to() == null || transfer.cents() < 1) {
      throw new RefusedException(1002, "needed are to, and cents of 1 or more");
    }
    Table<Long> balances = state.table("balances", Serde.LONG);
    long balance = add(balances, transfer.to(), transfer.cents());
    if (transfer.from() != null) {
      // If this is refused, nothing was paid in either.
      add(balances, transfer.from(), -transfer.cents());
    }
    JsonObject statement = new JsonObject().put("account", transfer.to()).put("cents", balance);
    state.outbox().send("statements", transfer.to(), statement);
    return statement;
  }

  private static long add(Table<Long> balances, String account, long cents) {
    Long before = balances.get(account);
    long after = Math.addExact(before == null ? 0 : before, cents);
    if (after < 0) {
      throw new RefusedException(1001, account + " has too little");
    }
    balances.put(account, after);
    return after;
  }
}
