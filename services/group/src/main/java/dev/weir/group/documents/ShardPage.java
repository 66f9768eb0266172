package dev.weir.group.documents;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a step of a query found in one shard, in the order of the query.
 *
 * <pre>
 * 0 byte version
 * 1 byte 1 if the shard has more
 * 2 long documents of the shard that match, of those that were looked at
 *   int  bytes of the last entry that was looked at, -1 for none, and the entry
 *   for each document: its entry and its record, both with their bytes before them
 * </pre>
 *
 * @param last null if nothing was looked at
 */
record ShardPage(boolean hasMore, long count, byte[] last, List<Found> found) {
  private static final byte VERSION = 1;

  /**
   * A document.
   *
   * @param entry of the index, or its key
   */
  record Found(byte[] entry, byte[] record) {}

  Buffer encode() {
    Buffer out =
        Buffer.buffer().appendByte(VERSION).appendByte((byte) (hasMore ? 1 : 0)).appendLong(count);
    append(out, last);
    for (Found each : found) {
      append(out, each.entry());
      append(out, each.record());
    }
    return out;
  }

  private static void append(Buffer out, byte[] bytes) {
    out.appendInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.appendBytes(bytes);
    }
  }

  /**
   * @throws IllegalArgumentException if it is of another version
   */
  static ShardPage decode(Buffer in) {
    if (in.getByte(0) != VERSION) {
      throw new IllegalArgumentException(
          "a page of a shard has version " + in.getByte(0) + ", known is " + VERSION);
    }
    int at = 2 + Long.BYTES;
    byte[] last = bytes(in, at);
    at = behind(at, last);
    List<Found> found = new ArrayList<>();
    while (at < in.length()) {
      byte[] entry = bytes(in, at);
      at = behind(at, entry);
      byte[] record = bytes(in, at);
      at = behind(at, record);
      found.add(new Found(entry, record));
    }
    return new ShardPage(in.getByte(1) == 1, in.getLong(2), last, found);
  }

  private static byte[] bytes(Buffer in, int at) {
    int bytes = in.getInt(at);
    return bytes < 0 ? null : in.getBytes(at + Integer.BYTES, at + Integer.BYTES + bytes);
  }

  private static int behind(int at, byte[] bytes) {
    return at + Integer.BYTES + (bytes == null ? 0 : bytes.length);
  }
}
