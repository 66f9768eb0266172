package dev.weir.cluster.state;

import dev.weir.cluster.State;
import dev.weir.cluster.StateView;
import dev.weir.cluster.log.StoredObjects;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds a group's objects, and the writes since {@link #begin} in their order.
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
  private static final int REMOVED = -1;
  private static final int COUNT_BYTES = Integer.BYTES;
  private static final int CHANGE_BYTES = Long.BYTES + Integer.BYTES;

  /** In place of the length of an object in {@link #undo}: there was none. */
  private static final int ABSENT = -1;

  /** In place of the length of an object in {@link #undo}: it is the last of {@link #replaced}. */
  private static final int REPLACED = -2;

  private final int maxChangeBytes;

  private final ObjectValues values;

  /** What each change replaced, the last change last: the bytes of the object, id, length. */
  private ByteBuffer undo = ByteBuffer.allocate(1 << 10);

  /** Objects that were removed, or too large to be copied to {@link #undo}. */
  private final List<ObjectValue> replaced = new ArrayList<>();

  private ByteBuffer changes = ByteBuffer.allocate(1 << 10);

  /**
   * Keeps all objects in memory.
   *
   * @param maxChangeBytes most bytes of the changes that {@link #changes} returns
   */
  public StateTable(int maxChangeBytes) {
    this(maxChangeBytes, new HeapValues());
  }

  /** Keeps objects on a disk, and in memory those for which there is room. */
  StateTable(int maxChangeBytes, StoredObjects stored, State.Heap heap) {
    this(maxChangeBytes, new PagedValues(stored, heap));
  }

  private StateTable(int maxChangeBytes, ObjectValues values) {
    this.maxChangeBytes = maxChangeBytes;
    this.values = values;
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
        values.putBack(id, replaced.remove(replaced.size() - 1));
      } else {
        at -= length;
        values.set(id, undo, at, length);
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
    ObjectValue value = values.get(id);
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
    values.set(id, changes, at, length);
  }

  @Override
  public void remove(long id) {
    if (values.get(id) != null) {
      record(id, REMOVED, 0);
      replaced.add(values.remove(id));
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
        values.set(id, buffer, at, bytes);
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
    ObjectValue value = values.get(id);
    if (value == null) {
      undo(id, ABSENT);
    } else if (values.isChangedInPlace(value)
        && value.length() <= maxChangeBytes - undo.position()) {
      undo = withRoom(undo, value.length());
      undo.put(value.bytes(), 0, value.length());
      undo(id, value.length());
    } else {
      replaced.add(values.take(id));
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
        : ByteBuffer.allocate(ObjectValue.larger(buffer.capacity(), needed)).put(buffer.flip());
  }

  /** Lets time pass, so that heap which has become too much is given back. */
  void tick() {
    values.tick();
  }

  /** Whether a view is open. */
  public boolean isViewed() {
    return values.isViewed();
  }

  /** The objects as they are now, for another thread; one view at a time. */
  public StateView view() {
    return values.view();
  }

  /**
   * Replaces everything by what a {@link #view} wrote; recorded changes are forgotten.
   *
   * @param in null for what the snapshots of the disk have, or for no objects
   * @throws IOException if the stream holds anything else
   */
  public void restore(DataInput in) throws IOException {
    begin();
    values.reset();
    if (in != null) {
      values.restore(in);
    }
  }
}
