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
 * @param timer a timer that is due; empty for the first one, if its name is too long for a message;
 *     null if it is another command
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
  private static final int SENT_BYTES = 16;

  /** Digits and a comma. */
  private static final int NUMBER_BYTES = 20;

  /** A timer that is due; the first one, without its name, if that is too long. */
  public static Buffer timer(String name, long due, int maxBytes) {
    JsonObject json = new JsonObject().put("timer", name).put("due", due);
    Buffer command = encode(json);
    return command.length() <= maxBytes ? command : encode(json.put("timer", ""));
  }

  public static Buffer sent(List<Long> numbers) {
    return encode(new JsonObject().put("sent", new JsonArray(List.copyOf(numbers))));
  }

  /**
   * A message that was refused.
   *
   * @param reason null for none; cut where the command would have more than {@code maxBytes}
   */
  public static Buffer undelivered(long number, int code, String reason, int maxBytes) {
    JsonObject json = new JsonObject().put("undelivered", number).put("code", code);
    String text = reason == null ? "" : reason;
    Buffer command = encode(json.put("reason", reason));
    while (command.length() > maxBytes && !text.isEmpty()) {
      text = half(text);
      command = encode(json.put("reason", text));
    }
    return command;
  }

  private static String half(String text) {
    int end = text.length() / 2;
    boolean splitsPair = end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
    return text.substring(0, splitsPair ? end - 1 : end);
  }

  /** How many numbers {@link #sent} may have in a command of so many bytes; at least 1. */
  public static int mostSent(int maxBytes) {
    return Math.max(1, (maxBytes - SENT_BYTES) / NUMBER_BYTES);
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
