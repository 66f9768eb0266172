package dev.weir.cluster.state;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The bytes of an object of a state, in memory. */
final class ObjectValue {
  private byte[] bytes;
  private int length;

  /** Null until the object is read. The caller may change position, limit and order. */
  private ByteBuffer view;

  /** What {@link ObjectValues} that made it know of it; others leave it as it is. */
  final long version;

  // Of PagedValues alone.
  long id;
  ObjectValue older;
  ObjectValue newer;
  boolean removed;

  /** Not on the disk yet. Changed under the lock of the disk. */
  volatile boolean dirty;

  ObjectValue(byte[] bytes, int length, long version) {
    this.bytes = bytes;
    this.length = length;
    this.version = version;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** Bytes of the array, which may have more than the object. */
  int capacity() {
    return bytes.length;
  }

  ByteBuffer view() {
    if (view == null) {
      view = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }
    return view.clear().limit(length).order(ByteOrder.BIG_ENDIAN);
  }

  void set(ByteBuffer from, int at, int newLength) {
    if (newLength > bytes.length) {
      // An object that grows does so again.
      bytes = new byte[larger(bytes.length, newLength)];
      view = null;
    }
    from.get(at, bytes, 0, newLength);
    length = newLength;
  }

  byte[] copy() {
    return Arrays.copyOf(bytes, length);
  }

  static int larger(int capacity, int needed) {
    return Math.max(needed, Math.min(capacity, Integer.MAX_VALUE >> 2) * 2);
  }
}
