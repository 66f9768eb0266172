package dev.weir.group.documents;

import dev.weir.state.change.Records;
import dev.weir.state.engine.Outcome;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;

/**
 * What an operation did, on its way back from the primary of a shard.
 *
 * <pre>
 * 0 byte version
 * 1 byte 1 if there was no document before, and there is one now
 * 2 int  bytes of the record of the document, or of what was deleted, -1 for none, and the record
 *   the reply of an action as JSON; nothing for none
 * </pre>
 */
final class ShardReply {
  private static final byte VERSION = 1;
  private static final int CREATED_AT = 1;
  private static final int RECORD_AT = 2;

  private ShardReply() {}

  static Buffer encode(Outcome outcome) {
    Buffer out = Buffer.buffer().appendByte(VERSION).appendByte((byte) (outcome.created() ? 1 : 0));
    if (outcome.state().isAbsent()) {
      out.appendInt(-1);
    } else {
      byte[] record = Records.encode(outcome.state());
      out.appendInt(record.length).appendBytes(record);
    }
    return outcome.reply() == null ? out : out.appendBuffer(outcome.reply().toBuffer());
  }

  /**
   * @throws IllegalArgumentException if it is of another version
   */
  static Outcome decode(Buffer in) {
    if (in.getByte(0) != VERSION) {
      throw new IllegalArgumentException(
          "the reply of a shard has version " + in.getByte(0) + ", known is " + VERSION);
    }
    int bytes = in.getInt(RECORD_AT);
    int from = RECORD_AT + Integer.BYTES;
    int end = from + Math.max(0, bytes);
    return new Outcome(
        Records.decode(bytes < 0 ? null : in.getBytes(from, end)),
        end == in.length() ? null : new JsonObject(in.slice(end, in.length())),
        in.getByte(CREATED_AT) == 1);
  }
}
