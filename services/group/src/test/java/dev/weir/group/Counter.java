package dev.weir.group;

import dev.weir.cluster.GroupOptions;
import dev.weir.flow.ServiceOptions;
import dev.weir.testing.Futures;
import io.vertx.core.json.JsonObject;

/** Counts its messages, by key. */
final class Counter implements GroupProcessor<JsonObject> {
  static final int ODD = 4711;

  /** Serves counters on a member, which changes no role because it stood still for a second. */
  static GroupService serve(String member, Groups groups, ShardOptions shards) {
    return Futures.result(
        "the counter on " + member,
        groups.serveGroup(
            "counter",
            shards,
            new GroupOptions().setLeaseMs(2_000).setTakeoverMs(4_000),
            new ServiceOptions(),
            Counter::new));
  }

  @Override
  public Object handle(GroupMessage<JsonObject> message, GroupState state) {
    if (message.body().containsKey("refuse")) {
      throw new RefusedException(ODD, message.body().getString("refuse"));
    }
    Table<Long> counts = state.table("counts", Serde.LONG);
    String key = String.valueOf(message.key());
    Long before = counts.get(key);
    long count = before == null ? 1 : before + 1;
    counts.put(key, count);
    if (message.body().containsKey("fail")) {
      throw new IllegalStateException(message.body().getString("fail"));
    }
    return new JsonObject().put("count", count);
  }

  @Override
  public Object read(GroupMessage<JsonObject> message, GroupState state) {
    Table<Long> counts = state.table("counts", Serde.LONG);
    if (message.body().containsKey("refuse")) {
      throw new RefusedException(ODD, message.body().getString("refuse"));
    }
    if (message.body().containsKey("fail")) {
      counts.put(message.key(), 0L);
    }
    return new JsonObject().put("count", counts.get(String.valueOf(message.key())));
  }
}
