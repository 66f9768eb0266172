package dev.weir.group.documents;

import dev.weir.state.DocumentFormat;
import dev.weir.state.Expected;
import dev.weir.state.WriteOptions;
import dev.weir.state.change.Operation;
import io.vertx.core.buffer.Buffer;

/**
 * An operation on its way to the primary of a shard.
 *
 * <pre>
 *  0 byte version
 *  1 byte number of the kind
 *  2 byte format of the body
 *  3 long expected version, see Expected
 * 11 long expiry in ms, -1 for none
 * 19 int  bytes of the name of the action, -1 for none, and the name in UTF-8
 *    byte 1 if there is a body, and its bytes
 * </pre>
 */
final class ShardRequest {
  private static final byte VERSION = 1;
  private static final int KIND_AT = 1;
  private static final int FORMAT_AT = 2;
  private static final int EXPECTED_AT = 3;
  private static final int EXPIRY_AT = 11;
  private static final int ACTION_AT = 19;

  private ShardRequest() {}

  static Buffer encode(Operation operation) {
    WriteOptions options = operation.options();
    Buffer out =
        Buffer.buffer()
            .appendByte(VERSION)
            .appendByte((byte) operation.kind().ordinal())
            .appendByte((byte) operation.format().ordinal())
            .appendLong(options.expected().code())
            .appendLong(options.expiryMs() == null ? -1 : options.expiryMs());
    if (operation.action() == null) {
      out.appendInt(-1);
    } else {
      byte[] action = Buffer.buffer(operation.action()).getBytes();
      out.appendInt(action.length).appendBytes(action);
    }
    return operation.body() == null
        ? out.appendByte((byte) 0)
        : out.appendByte((byte) 1).appendBytes(operation.body());
  }

  /**
   * @throws IllegalArgumentException if it is of another version
   * @throws IndexOutOfBoundsException if it is cut off
   */
  static Operation decode(Buffer in) {
    if (in.getByte(0) != VERSION) {
      throw new IllegalArgumentException(
          "an operation has version " + in.getByte(0) + ", known is " + VERSION);
    }
    int actionBytes = in.getInt(ACTION_AT);
    int actionAt = ACTION_AT + Integer.BYTES;
    int bodyAt = actionAt + Math.max(0, actionBytes);
    long expiryMs = in.getLong(EXPIRY_AT);
    WriteOptions options = WriteOptions.DEFAULT.expect(Expected.of(in.getLong(EXPECTED_AT)));
    return new Operation(
        Operation.Kind.values()[in.getByte(KIND_AT)],
        in.getByte(bodyAt) == 0 ? null : in.getBytes(bodyAt + 1, in.length()),
        DocumentFormat.values()[in.getByte(FORMAT_AT)],
        actionBytes < 0 ? null : in.getString(actionAt, bodyAt),
        expiryMs < 0 ? options : options.expireAfterMs(expiryMs));
  }
}
