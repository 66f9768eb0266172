package dev.weir.state.change;

import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import dev.weir.state.DocumentFormat;
import dev.weir.state.index.IndexFields;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The formats of records and of index entries.
 *
 * <pre>
 * record       format (1 byte), version (8), expiry in ms since 1970 or 0 (8), content
 * format       1 the content is JSON, 2 it is CBOR
 * expiry entry field 0 (2 bytes), expiry (8), key
 * field entry  number of the field (2 bytes), value (see IndexValue), key
 * </pre>
 */
public final class Records {
  /** The field number of expiry entries; fields of users have larger ones. */
  public static final int EXPIRY_FIELD = 0;

  private static final byte JSON = 1;
  private static final byte CBOR = 2;
  private static final int HEAD_BYTES = 1 + Long.BYTES * 2;
  private static final int EXPIRY_HEAD_BYTES = Short.BYTES + Long.BYTES;

  private Records() {}

  public static byte[] encode(State state) {
    return ByteBuffer.allocate(HEAD_BYTES + state.bytes())
        .put(state.format() == DocumentFormat.JSON ? JSON : CBOR)
        .putLong(state.version())
        .putLong(state.expiresAtMs())
        .put(state.content())
        .array();
  }

  /** Reads a record; null is no document. */
  public static State decode(byte[] record) {
    if (record == null) {
      return State.ABSENT;
    }
    ByteBuffer in = ByteBuffer.wrap(record);
    byte format = record.length < HEAD_BYTES ? 0 : in.get();
    if (format != JSON && format != CBOR) {
      throw new DocumentException(
          DocumentFailure.STORE_FAILED, "the record has a format that this version cannot read");
    }
    long version = in.getLong();
    long expiresAtMs = in.getLong();
    byte[] content = new byte[in.remaining()];
    in.get(content);
    return new State(
        version, expiresAtMs, content, format == JSON ? DocumentFormat.JSON : DocumentFormat.CBOR);
  }

  /**
   * The change from one state of a key to another.
   *
   * @param kept what happens to the kept versions
   */
  public static Change change(
      String factory,
      IndexFields fields,
      byte[] key,
      State before,
      State after,
      KeptVersions kept) {
    List<byte[]> removed = entries(fields, key, before);
    List<byte[]> added = entries(fields, key, after);
    dropEqual(removed, added);
    long floor = after.isAbsent() ? before.version() : 0;
    return new Change(factory, key, after, removed, added, floor, kept);
  }

  /** Drops what is in both lists: entries that stay as they are. */
  public static void dropEqual(List<byte[]> removed, List<byte[]> added) {
    if (!removed.isEmpty() && !added.isEmpty()) {
      removed.removeIf(entry -> added.removeIf(other -> Arrays.equals(other, entry)));
    }
  }

  /** The index entries of a state; a list that is not empty may be changed. */
  public static List<byte[]> entries(IndexFields fields, byte[] key, State state) {
    if (fields.isEmpty() && state.expiresAtMs() == 0) {
      return List.of();
    }
    List<byte[]> entries = fieldEntries(fields, key, state);
    if (state.expiresAtMs() != 0) {
      entries.add(expiryEntry(state.expiresAtMs(), key));
    }
    return entries;
  }

  /** The entries of fields, in a new list. */
  public static List<byte[]> fieldEntries(IndexFields fields, byte[] key, State state) {
    return fields.entries(key, fields.isEmpty() ? null : state.object());
  }

  private static byte[] expiryEntry(long expiresAtMs, byte[] key) {
    return ByteBuffer.allocate(EXPIRY_HEAD_BYTES + key.length)
        .putShort((short) EXPIRY_FIELD)
        .putLong(expiresAtMs)
        .put(key)
        .array();
  }

  /** Whether an entry of the index is that of a document that has expired. */
  public static boolean isExpired(byte[] entry, long nowMs) {
    ByteBuffer in = ByteBuffer.wrap(entry);
    return in.getShort() == EXPIRY_FIELD && in.getLong() <= nowMs;
  }

  /** When the document of an expiry entry expires. */
  public static long expiryMs(byte[] entry) {
    return ByteBuffer.wrap(entry).getLong(Short.BYTES);
  }

  /** The key of an expiry entry. */
  public static byte[] keyOfExpiry(byte[] entry) {
    byte[] key = new byte[entry.length - EXPIRY_HEAD_BYTES];
    System.arraycopy(entry, EXPIRY_HEAD_BYTES, key, 0, key.length);
    return key;
  }
}
