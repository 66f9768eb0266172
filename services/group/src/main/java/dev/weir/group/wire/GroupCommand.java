package dev.weir.group.wire;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * What a primary has its own group do, as a message of the group. No request begins with its first
 * byte.
 *
 * <pre>
 * 0 byte {@link #COMMAND}
 * 1 JSON: timer and due; or sent, numbers; or undelivered, a number, code and reason; or plan
 * </pre>
 *
 * @param timer a timer that is due; null if it is another command
 * @param sent numbers of messages that have arrived
 * @param undelivered the number of a message that was refused; -1 for none
 * @param plan a change of where the replicas of the service are to be: add, a member; or remove, a
 *     member; or move, a shard, from and to, members; null if it is another command
 */
public record GroupCommand(
    String timer,
    long due,
    List<Long> sent,
    long undelivered,
    int code,
    String reason,
    JsonObject plan) {
  private static final byte COMMAND = -1;

  public static Buffer timer(String name, long due) {
    return encode(new JsonObject().put("timer", name).put("due", due));
  }

  public static Buffer sent(List<Long> numbers) {
    return encode(new JsonObject().put("sent", new JsonArray(List.copyOf(numbers))));
  }

  public static Buffer undelivered(long number, int code, String reason) {
    return encode(
        new JsonObject().put("undelivered", number).put("code", code).put("reason", reason));
  }

  /** A change of where the replicas of the service are to be. */
  public static Buffer plan(JsonObject change) {
    return encode(new JsonObject().put("plan", change));
  }

  private static Buffer encode(JsonObject json) {
    return Buffer.buffer().appendByte(COMMAND).appendBuffer(json.toBuffer());
  }

  /** Whether bytes are a command, not a request. */
  public static boolean is(byte[] bytes) {
    return bytes[0] == COMMAND;
  }

  public static GroupCommand decode(byte[] bytes) {
    JsonObject json = new JsonObject(Buffer.buffer(bytes).getBuffer(1, bytes.length));
    List<Long> sent =
        json.getJsonArray("sent", new JsonArray()).stream()
            .map(number -> ((Number) number).longValue())
            .toList();
    return new GroupCommand(
        json.getString("timer"),
        json.getLong("due", 0L),
        sent,
        json.getLong("undelivered", -1L),
        json.getInteger("code", 0),
        json.getString("reason"),
        json.getJsonObject("plan"));
  }
}
