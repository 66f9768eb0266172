package dev.weir.state.change;

import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A version of a document as the table of versions keeps it.
 *
 * <pre>
 * key     length of the document's key (2 bytes), key, version (8)
 * value   when the version was written in ms since 1970 (8), record (see Records)
 * </pre>
 *
 * The length comes first, so that no key begins with another one.
 *
 * @param timeMs when the version was written, in ms since 1970
 * @param state not absent
 */
public record KeptVersion(long timeMs, State state) {
  /** The part of a value that is before its record. */
  public static final int TIME_BYTES = Long.BYTES;

  /** The key in the table. */
  public static byte[] key(byte[] key, long version) {
    return ByteBuffer.allocate(Short.BYTES + key.length + Long.BYTES)
        .putShort((short) key.length)
        .put(key)
        .putLong(version)
        .array();
  }

  /** The version in a key of the table. */
  public static long versionOf(byte[] tableKey) {
    return ByteBuffer.wrap(tableKey).getLong(tableKey.length - Long.BYTES);
  }

  /** The value in the table. */
  public byte[] encode() {
    byte[] record = Records.encode(state);
    return ByteBuffer.allocate(TIME_BYTES + record.length).putLong(timeMs).put(record).array();
  }

  /** Reads a value. */
  public static KeptVersion decode(byte[] value) {
    long timeMs = timeOf(value);
    return new KeptVersion(
        timeMs, Records.decode(Arrays.copyOfRange(value, TIME_BYTES, value.length)));
  }

  /**
   * The time in a value.
   *
   * @param value may end behind its first {@value #TIME_BYTES} bytes
   */
  public static long timeOf(byte[] value) {
    if (value.length < TIME_BYTES) {
      throw new DocumentException(DocumentFailure.STORE_FAILED, "a kept version is cut off");
    }
    return ByteBuffer.wrap(value).getLong();
  }
}
