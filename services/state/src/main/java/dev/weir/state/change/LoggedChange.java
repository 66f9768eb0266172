package dev.weir.state.change;

import dev.weir.state.DocumentChange;
import dev.weir.state.DocumentChange.Kind;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/**
 * A change of a document as the log of its factory has it.
 *
 * <pre>
 * key     position (8 bytes), bytes of keys and values that were ever written before (8)
 * value   format (1), kind (1), when it was decided in ms since 1970 (8),
 *         length of the document's key (2), key, record (see Records), or of a deletion the version
 *         that was deleted (8)
 * kind    1 created, 2 changed, 3 deleted
 * </pre>
 *
 * What was written before is in the key, so that the log is trimmed without reading its values.
 *
 * @param position the place in the log; 0 before the change is about to be committed
 * @param timeMs when it was decided, in ms since 1970
 * @param created whether there was no document before
 * @param key the key of the document, in UTF-8
 * @param version the version that was written; of a deletion the one that was deleted
 * @param after the state after the change; absent after a deletion
 */
public record LoggedChange(
    long position, long timeMs, boolean created, byte[] key, long version, State after) {
  private static final byte FORMAT = 1;
  private static final byte CREATED = 1;
  private static final byte CHANGED = 2;
  private static final byte DELETED = 3;
  private static final int HEAD_BYTES = 2 + Long.BYTES + Short.BYTES;

  /**
   * The change from one state to another, which has no position yet.
   *
   * @param before what has expired and is not deleted yet is a document here
   */
  public static LoggedChange decided(byte[] key, State before, State after, long nowMs) {
    long version = after.isAbsent() ? before.version() : after.version();
    return new LoggedChange(0, nowMs, before.isAbsent(), key, version, after);
  }

  /** The same with a position. */
  public LoggedChange at(long place) {
    return new LoggedChange(place, timeMs, created, key, version, after);
  }

  /**
   * What a reader of the log gets for the change.
   *
   * @param matches tests the document after the change; null if every document matches
   * @return null for a document that was created and does not match
   */
  public DocumentChange told(Predicate<JsonObject> matches) {
    String text = new String(key, StandardCharsets.UTF_8);
    if (after.isAbsent()) {
      return new DocumentChange(position, timeMs, Kind.DELETE, text, version, null);
    }
    if (matches == null || matches.test(after.object())) {
      return new DocumentChange(position, timeMs, Kind.PUT, text, version, after.document(text));
    }
    return created ? null : new DocumentChange(position, timeMs, Kind.OUT, text, version, null);
  }

  /** What the key of a position begins with; it comes before that key and behind those before. */
  public static byte[] start(long position) {
    return ByteBuffer.allocate(Long.BYTES).putLong(position).array();
  }

  /**
   * The key in the table.
   *
   * @param beforeBytes the sum of all keys and values that were ever written before
   */
  public static byte[] key(long position, long beforeBytes) {
    return ByteBuffer.allocate(Long.BYTES * 2).putLong(position).putLong(beforeBytes).array();
  }

  /** The position in a key of the table. */
  public static long positionOf(byte[] tableKey) {
    return ByteBuffer.wrap(tableKey).getLong();
  }

  /** What was written before the change of a key. */
  public static long beforeOf(byte[] tableKey) {
    return ByteBuffer.wrap(tableKey).getLong(Long.BYTES);
  }

  /** The value in the table. */
  public byte[] encode() {
    byte[] rest = after.isAbsent() ? start(version) : Records.encode(after);
    return ByteBuffer.allocate(HEAD_BYTES + key.length + rest.length)
        .put(FORMAT)
        .put(after.isAbsent() ? DELETED : created ? CREATED : CHANGED)
        .putLong(timeMs)
        .putShort((short) key.length)
        .put(key)
        .put(rest)
        .array();
  }

  /** Reads a value. */
  public static LoggedChange decode(long position, byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    if (value.length < HEAD_BYTES || in.get() != FORMAT) {
      throw new DocumentException(
          DocumentFailure.STORE_FAILED,
          "the change at position " + position + " has a format that this version cannot read");
    }
    byte kind = in.get();
    long timeMs = in.getLong();
    byte[] key = new byte[in.getShort()];
    in.get(key);
    byte[] rest = new byte[in.remaining()];
    in.get(rest);
    if (kind == DELETED) {
      return new LoggedChange(position, timeMs, false, key, positionOf(rest), State.ABSENT);
    }
    State after = Records.decode(rest);
    return new LoggedChange(position, timeMs, kind == CREATED, key, after.version(), after);
  }
}
