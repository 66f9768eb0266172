package dev.weir.group;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;

/**
 * Orders that are paid by another group and reminded of by a timer. A message is the number of an
 * order, and what is to be done with it.
 */
final class Orders implements GroupProcessor<JsonObject> {
  @Override
  public Object handle(GroupMessage<JsonObject> message, GroupState state) {
    String order = message.body().getString("order");
    long waitMs = message.body().getLong("remindInMs", -1L);
    if (waitMs >= 0) {
      state.timers().set("remind " + order, message.timestampMs() + waitMs, Buffer.buffer(order));
    }
    if (message.body().containsKey("forget")) {
      state.timers().cancel("remind " + order);
    }
    if (message.body().containsKey("pay")) {
      state.outbox().request(message.body().getString("pay"), order, new JsonObject());
    }
    if (message.body().containsKey("note")) {
      state.outbox().send(message.body().getString("note"), order, new JsonObject());
    }
    if (message.body().containsKey("refuse")) {
      throw new RefusedException(Counter.ODD, "not today");
    }
    return null;
  }

  @Override
  public void onTimer(GroupTimer timer, GroupState state) {
    count(state, "reminded " + timer.body());
    if (timer.dueMs() > timer.timestampMs()) {
      throw new IllegalStateException("too soon");
    }
  }

  @Override
  public void onUndelivered(UndeliveredMessage message, GroupState state) {
    count(state, "undelivered " + message.key() + " " + message.code());
  }

  private static void count(GroupState state, String what) {
    Table<Long> counts = state.table("counts", Serde.LONG);
    Long before = counts.get(what);
    counts.put(what, before == null ? 1 : before + 1);
  }

  @Override
  public Object read(GroupMessage<JsonObject> message, GroupState state) {
    Long count = state.table("counts", Serde.LONG).get(message.body().getString("what"));
    return new JsonObject().put("count", count == null ? 0 : count);
  }
}
