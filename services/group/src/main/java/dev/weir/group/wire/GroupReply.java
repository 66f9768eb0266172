package dev.weir.group.wire;

import dev.weir.flow.FlowFailure;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.ReplyException;

/**
 * A reply of the primary, which the group keeps for who asks again. All numbers are big-endian.
 *
 * <pre>
 * 0 byte version
 * 1 byte type of the body, and its bytes; or {@link #REFUSED}, int code, reason in UTF-8
 * </pre>
 *
 * @param body null in a refusal
 * @param reason null unless it is a refusal
 */
public record GroupReply(Object body, int code, String reason) {
  static final byte VERSION = 1;
  private static final byte REFUSED = -1;
  private static final int KIND_AT = 1;
  private static final int CODE_AT = 2;
  private static final int REASON_AT = CODE_AT + Integer.BYTES;

  /** States hold this text, and {@link #applied} compares it. */
  private static final String REPLY_FORGOTTEN = "message applied before, reply forgotten";

  /**
   * @throws IllegalArgumentException if a body of that type cannot be sent
   */
  public static Buffer encode(Object body) {
    Buffer out = Buffer.buffer().appendByte(VERSION);
    Bodies.append(out, body);
    return out;
  }

  /** A refusal. */
  public static Buffer refusal(int code, String reason) {
    return Buffer.buffer()
        .appendByte(VERSION)
        .appendByte(REFUSED)
        .appendInt(code)
        .appendString(reason);
  }

  /** The refusal of a repeat of a message that was applied, and whose reply is forgotten. */
  public static Buffer forgotten() {
    return refusal(FlowFailure.FORGOTTEN.code(), REPLY_FORGOTTEN);
  }

  /** Of who only wants a message applied: {@link #forgotten} says that it was. */
  public static <T> Future<T> applied(Future<T> reply) {
    return reply.recover(
        failure -> isForgotten(failure) ? Future.succeededFuture() : Future.failedFuture(failure));
  }

  private static boolean isForgotten(Throwable failure) {
    return failure instanceof ReplyException reply
        && reply.failureCode() == FlowFailure.FORGOTTEN.code()
        && REPLY_FORGOTTEN.equals(reply.getMessage());
  }

  /**
   * @throws IllegalArgumentException if it is of another version
   */
  public static GroupReply decode(Buffer in) {
    if (in.getByte(0) != VERSION) {
      throw new IllegalArgumentException(
          "a reply has version " + in.getByte(0) + ", known is " + VERSION);
    }
    return in.getByte(KIND_AT) == REFUSED
        ? new GroupReply(null, in.getInt(CODE_AT), in.getString(REASON_AT, in.length()))
        : new GroupReply(Bodies.read(in, KIND_AT), 0, null);
  }
}
