package dev.weir.cluster.state;

import dev.weir.cluster.State;
import dev.weir.cluster.StateView;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds a group's objects in memory, and the writes since {@link #begin} in their order.
 *
 * <pre>
 * 0 int  number of changes
 * 4 changes, each:
 *    0 long id
 *    8 int  bytes of the object, or -1: it was removed
 *   12 bytes
 * </pre>
 *
 * All numbers are big-endian. One thread at a time. Replacing an object by one that is no larger
 * than it ever was allocates nothing, nor does recording once the largest set of changes was seen.
 * What the changes replaced is kept until the next {@link #begin}, for {@link #rollBack}.
 */
public final class StateTable implements State {
  private static final int FORMAT = 1;
  private static final int REMOVED = -1;
  private static final int COUNT_BYTES = Integer.BYTES;
  private static final int CHANGE_BYTES = Long.BYTES + Integer.BYTES;

  /** In place of the length of an object in {@link #undo}: there was none. */
  private static final int ABSENT = -1;

  /** In place of the length of an object in {@link #undo}: it is the last of {@link #replaced}. */
  private static final int REPLACED = -2;

  private final int maxChangeBytes;

  private final VersionedTable<Value> values = new VersionedTable<>();

  /** What each change replaced, the last change last: the bytes of the object, id, length. */
  private ByteBuffer undo = ByteBuffer.allocate(1 << 10);

  /** Objects that were removed, or too large to be copied to {@link #undo}. */
  private final List<Value> replaced = new ArrayList<>();

  private ByteBuffer changes = ByteBuffer.allocate(1 << 10);

  private static final class Value {
    private byte[] bytes;
    private int length;

    /** Number of views taken before the object was made. */
    private final int version;

    /** Null until the object is read. The caller may change position, limit and order. */
    private ByteBuffer view;

    Value(int length, int version) {
      this.version = version;
      this.bytes = new byte[length];
      this.length = length;
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
  }

  /**
   * @param maxChangeBytes most bytes of the changes that {@link #changes} returns
   */
  public StateTable(int maxChangeBytes) {
    this.maxChangeBytes = maxChangeBytes;
    begin();
  }

  /** Forgets the changes recorded. */
  public void begin() {
    changes.clear().putInt(0);
    undo.clear();
    replaced.clear();
  }

  /** Undoes all changes since {@link #begin}. */
  void rollBack() {
    while (undo.position() > 0) {
      int at = undo.position() - CHANGE_BYTES;
      long id = undo.getLong(at);
      int length = undo.getInt(at + Long.BYTES);
      if (length == ABSENT) {
        values.remove(id);
      } else if (length == REPLACED) {
        values.put(id, replaced.remove(replaced.size() - 1));
      } else {
        at -= length;
        set(id, undo, at, length);
      }
      undo.position(at);
    }
    begin();
  }

  /**
   * What changed since {@link #begin}, from 0 to its position; valid until the next call to this
   * state.
   */
  ByteBuffer changes() {
    return changes;
  }

  /** Bytes of the changes, at least the 4 of their number. */
  int changeBytes() {
    return changes.position();
  }

  @Override
  public ByteBuffer get(long id) {
    Value value = values.get(id);
    return value == null ? null : value.view();
  }

  @Override
  public void put(long id, ByteBuffer value) {
    int length = value.remaining();
    record(id, length, length);
    int at = changes.position();
    changes.put(at, value, value.position(), length).position(at + length);
    keep(id);
    // From the copy: the value may be a view of the object itself.
    set(id, changes, at, length);
  }

  @Override
  public void remove(long id) {
    Value value = values.get(id);
    if (value != null) {
      record(id, REMOVED, 0);
      values.remove(id);
      replaced.add(value);
      undo(id, REPLACED);
    }
  }

  @Override
  public int size() {
    return values.size();
  }

  @Override
  public int room() {
    return maxChangeBytes - changes.position();
  }

  /**
   * Makes changes that another table recorded; they are not recorded here.
   *
   * @throws IllegalArgumentException if these bytes are something else; the table may have taken a
   *     part of them
   */
  void apply(ByteBuffer buffer, int offset, int length) {
    int end = offset + length;
    int at = offset + COUNT_BYTES;
    check(at <= end, offset, length);
    for (int left = buffer.getInt(offset); left > 0; left--) {
      check(at + CHANGE_BYTES <= end, offset, length);
      long id = buffer.getLong(at);
      int bytes = buffer.getInt(at + Long.BYTES);
      at += CHANGE_BYTES;
      if (bytes == REMOVED) {
        values.remove(id);
      } else {
        check(bytes >= 0 && bytes <= end - at, offset, length);
        set(id, buffer, at, bytes);
        at += bytes;
      }
    }
    check(at == end, offset, length);
  }

  private static void check(boolean whole, int offset, int length) {
    if (!whole) {
      throw new IllegalArgumentException(
          "no changes of a state are in the " + length + " bytes from " + offset + " on");
    }
  }

  private void set(long id, ByteBuffer from, int at, int length) {
    Value value = values.get(id);
    if (value == null || isShared(value)) {
      value = new Value(length, values.version());
      values.put(id, value);
    }
    value.set(from, at, length);
  }

  private void record(long id, int length, int bytes) {
    long needed = (long) changes.position() + CHANGE_BYTES + bytes;
    if (needed > maxChangeBytes) {
      throw new IllegalStateException(
          "a message changed " + needed + " bytes of state, allowed is " + maxChangeBytes);
    }
    changes = withRoom(changes, CHANGE_BYTES + bytes);
    changes.putInt(0, changes.getInt(0) + 1);
    changes.putLong(id).putInt(length);
  }

  /** Keeps an object as it is before its change. */
  private void keep(long id) {
    Value value = values.get(id);
    if (value == null) {
      undo(id, ABSENT);
    } else if (!isShared(value) && value.length <= maxChangeBytes - undo.position()) {
      undo = withRoom(undo, value.length);
      undo.put(value.bytes, 0, value.length);
      undo(id, value.length);
    } else {
      values.remove(id);
      replaced.add(value);
      undo(id, REPLACED);
    }
  }

  private void undo(long id, int length) {
    undo = withRoom(undo, CHANGE_BYTES).putLong(id).putInt(length);
  }

  private static ByteBuffer withRoom(ByteBuffer buffer, int bytes) {
    int needed = buffer.position() + bytes;
    return needed <= buffer.capacity()
        ? buffer
        : ByteBuffer.allocate(larger(buffer.capacity(), needed)).put(buffer.flip());
  }

  private static int larger(int capacity, int needed) {
    return Math.max(needed, Math.min(capacity, Integer.MAX_VALUE >> 2) * 2);
  }

  /** Whether a view has this object, which must not be changed then. */
  private boolean isShared(Value value) {
    return values.isViewed() && value.version != values.version();
  }

  /** Whether a view is open. */
  public boolean isViewed() {
    return values.isViewed();
  }

  /** The objects as they are now, for another thread; one view at a time. */
  public StateView view() {
    VersionedTable<Value> view = values.view();
    return new StateView() {
      @Override
      public void save(DataOutput out) throws IOException {
        StateTable.save(view, out);
      }

      @Override
      public void close() {
        values.close(view);
      }
    };
  }

  /** Writes all objects, in the order of their ids. */
  private static void save(VersionedTable<Value> values, DataOutput out) throws IOException {
    out.writeInt(FORMAT);
    out.writeInt(values.size());
    for (long id : values.sortedKeys()) {
      Value value = values.get(id);
      out.writeLong(id);
      out.writeInt(value.length);
      out.write(value.bytes, 0, value.length);
    }
  }

  /**
   * Replaces everything by what {@link #save} wrote; recorded changes are forgotten.
   *
   * @param in null for no objects
   * @throws IOException if the stream holds anything else
   */
  public void restore(DataInput in) throws IOException {
    values.clear();
    begin();
    if (in == null) {
      return;
    }
    int format = in.readInt();
    int objects = in.readInt();
    if (format != FORMAT || objects < 0) {
      throw new IOException(
          "a state has format " + format + " with " + objects + " objects, known is " + FORMAT);
    }
    for (int i = 0; i < objects; i++) {
      long id = in.readLong();
      int length = in.readInt();
      if (length < 0) {
        throw new IOException("object " + id + " has " + length + " bytes");
      }
      Value value = new Value(length, values.version());
      in.readFully(value.bytes);
      values.put(id, value);
    }
  }
}
