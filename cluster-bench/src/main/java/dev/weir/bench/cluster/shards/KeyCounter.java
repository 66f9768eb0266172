package dev.weir.bench.cluster.shards;

import dev.weir.group.GroupMessage;
import dev.weir.group.GroupProcessor;
import dev.weir.group.GroupState;
import dev.weir.group.Serde;
import dev.weir.group.Table;
import io.vertx.core.buffer.Buffer;

/**
 * The service that the scenarios drive. It keeps the last message of each key, and counts the
 * messages of the key. A message begins with its number, 8 bytes; the reply is the count and that
 * number. A read replies with the count alone, 0 for a key without messages.
 */
final class KeyCounter implements GroupProcessor<Buffer> {
  static final int REPLY_BYTES = 2 * Long.BYTES;

  @Override
  public Object handle(GroupMessage<Buffer> message, GroupState state) {
    Table<Buffer> values = table(state);
    long count = count(values.get(message.key())) + 1;
    Buffer body = message.body();
    values.put(
        message.key(),
        Buffer.buffer(Long.BYTES + body.length()).appendLong(count).appendBuffer(body));
    return Buffer.buffer(REPLY_BYTES).appendLong(count).appendLong(body.getLong(0));
  }

  @Override
  public Object read(GroupMessage<Buffer> message, GroupState state) {
    return Buffer.buffer(Long.BYTES).appendLong(count(table(state).get(message.key())));
  }

  private static Table<Buffer> table(GroupState state) {
    return state.table("values", Serde.BYTES);
  }

  private static long count(Buffer value) {
    return value == null ? 0 : value.getLong(0);
  }
}
