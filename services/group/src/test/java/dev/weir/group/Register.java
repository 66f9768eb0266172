package dev.weir.group;

import io.vertx.core.json.JsonObject;

/**
 * Replies to each message of a key with how many there were, this one included, and with the {@code
 * op} of the one before. So the replies say in which order messages took effect. A read replies
 * with the number and the {@code op} of the last message.
 */
final class Register implements GroupProcessor<JsonObject> {
  static final String OP = "op";
  static final String COUNT = "count";
  static final String BEFORE = "before";
  static final long NONE = 0;

  @Override
  public Object handle(GroupMessage<JsonObject> message, GroupState state) {
    JsonObject last = last(message, state);
    long count = last.getLong(COUNT) + 1;
    JsonObject next = new JsonObject().put(COUNT, count).put(OP, message.body().getLong(OP, NONE));
    table(state).put(message.key(), next);
    return new JsonObject().put(COUNT, count).put(BEFORE, last.getLong(OP));
  }

  @Override
  public Object read(GroupMessage<JsonObject> message, GroupState state) {
    JsonObject last = last(message, state);
    return new JsonObject().put(COUNT, last.getLong(COUNT)).put(BEFORE, last.getLong(OP));
  }

  private static JsonObject last(GroupMessage<JsonObject> message, GroupState state) {
    JsonObject last = table(state).get(message.key());
    return last == null ? new JsonObject().put(COUNT, 0L).put(OP, NONE) : last;
  }

  private static Table<JsonObject> table(GroupState state) {
    return state.table("registers", Serde.JSON);
  }
}
