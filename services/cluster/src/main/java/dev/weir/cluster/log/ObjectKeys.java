package dev.weir.cluster.log;

import com.sleepycat.je.DatabaseEntry;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Keys and undo of {@link JeObjects}. */
final class ObjectKeys {
  static final int ID_BYTES = Long.BYTES;

  private ObjectKeys() {}

  /** Bytes that have the order of the numbers. */
  private static long ordered(long id) {
    return id ^ Long.MIN_VALUE;
  }

  static DatabaseEntry of(long id) {
    return new DatabaseEntry(ByteBuffer.allocate(ID_BYTES).putLong(ordered(id)).array());
  }

  static DatabaseEntry of(long id, long mark) {
    return new DatabaseEntry(
        ByteBuffer.allocate(ID_BYTES + Long.BYTES).putLong(ordered(id)).putLong(mark).array());
  }

  static long id(DatabaseEntry key) {
    return ordered(ByteBuffer.wrap(key.getData()).getLong());
  }

  static long mark(DatabaseEntry key) {
    return ByteBuffer.wrap(key.getData()).getLong(ID_BYTES);
  }

  /** What is kept of an object; null for none. */
  static byte[] undo(byte[] object) {
    if (object == null) {
      return new byte[1];
    }
    return ByteBuffer.allocate(1 + object.length).put((byte) 1).put(object).array();
  }

  /** What {@link #undo} kept. */
  static byte[] before(DatabaseEntry undo) {
    byte[] kept = undo.getData();
    return kept[0] == 0 ? null : Arrays.copyOfRange(kept, 1, kept.length);
  }
}
