package dev.weir.cluster.state;

import dev.weir.cluster.State;
import dev.weir.cluster.StateView;
import dev.weir.cluster.log.StoredObjects;
import dev.weir.cluster.log.TransactionLog;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The objects that were used last in memory, as far as there is room, and all others on the disk.
 * An object that leaves the memory is written first if it has changed. A view has what has changed
 * and is not written; to save it is to write that.
 *
 * <p><b>Order</b>: what a view has of an object is written before what it is later ({@link
 * #write}). So the disk has each object as at the mark of the view, or what it was then as its
 * undo.
 */
final class PagedValues implements ObjectValues {
  /** In place of {@link TransactionLog#OBJECTS_FORMAT}: the objects themselves are elsewhere. */
  static final int FORMAT = 2;

  /** Estimated heap of an object beside its bytes: itself, its array, its place in two maps. */
  private static final int OBJECT_BYTES = 260;

  /** So many stay, however small the room is: those that one call needs again and again. */
  private static final int LEAST_OBJECTS = 8;

  /** So many leave the memory in one call, or more if they are smaller than what comes. */
  private static final int LEAVING_PER_CALL = 200;

  private static final int GONE_PER_REMOVAL = 2;

  private final StoredObjects stored;
  private final State.Heap heap;
  private final LongMap<ObjectValue> resident = new LongMap<>();

  /** Residents that are not written. */
  private LongMap<ObjectValue> changed = new LongMap<>();

  /**
   * What had changed when the open view was taken, without what has left the memory since; null
   * without a view. Changed under the lock of the disk.
   */
  private LongMap<ObjectValue> frozen;

  /** Of what the view alone still has. */
  private long frozenBytes;

  /** Between the residents that were used first and last. */
  private final ObjectValue ends = new ObjectValue(new byte[0], 0, 0);

  /** Residents that stand for objects that were removed, or did when they were looked at last. */
  private final Queue<ObjectValue> gone = new ArrayDeque<>();

  private long residentBytes;

  /** Residents that stand for no removed object. */
  private int live;

  private int size;
  private long mark;

  PagedValues(StoredObjects stored, State.Heap heap) {
    this.stored = stored;
    this.heap = heap;
    ends.older = ends;
    ends.newer = ends;
    heap.join(1);
    stored.onClose(() -> heap.leave(1));
  }

  @Override
  public ObjectValue get(long id) {
    ObjectValue value = find(id);
    return value == null || value.removed ? null : value;
  }

  /** The resident of an id, which may stand for an object that was removed; null for no object. */
  private ObjectValue find(long id) {
    ObjectValue value = resident.get(id);
    if (value != null) {
      unlink(value);
      link(value);
      return value;
    }
    // If all objects are in memory the disk has no other.
    byte[] bytes = live == size ? null : stored.get(id);
    if (bytes == null) {
      return null;
    }
    value = new ObjectValue(bytes, bytes.length, mark);
    add(id, value);
    return value;
  }

  @Override
  public void set(long id, ByteBuffer from, int at, int length) {
    boolean isHere = resident.get(id) != null;
    ObjectValue value = isHere ? get(id) : null;
    if (value == null && (isHere || live == size || !stored.has(id))) {
      size++;
    }
    if (value == null || !isChangedInPlace(value)) {
      value = new ObjectValue(new byte[length], length, mark);
      value.set(from, at, length);
      replace(id, value);
      return;
    }
    residentBytes -= bytes(value);
    value.set(from, at, length);
    residentBytes += bytes(value);
    change(value);
    makeRoom(value);
  }

  @Override
  public void putBack(long id, ObjectValue value) {
    if (get(id) == null) {
      size++;
    }
    // Not the same: a view may have that one.
    byte[] bytes = value.copy();
    replace(id, new ObjectValue(bytes, bytes.length, mark));
  }

  @Override
  public ObjectValue remove(long id) {
    ObjectValue value = get(id);
    if (value == null) {
      return null;
    }
    size--;
    ObjectValue nothing = new ObjectValue(new byte[0], 0, mark);
    nothing.removed = true;
    replace(id, nothing);
    gone.add(nothing);
    dropGone();
    return value;
  }

  /** What stands for a removed object is not needed once the disk has no such object. */
  private void dropGone() {
    for (int i = 0; i < GONE_PER_REMOVAL && !gone.isEmpty(); i++) {
      ObjectValue first = gone.remove();
      if (resident.get(first.id) != first) {
        continue;
      }
      if (first.dirty) {
        gone.add(first);
      } else {
        drop(first);
      }
    }
  }

  @Override
  public ObjectValue take(long id) {
    ObjectValue value = get(id);
    return isChangedInPlace(value) ? remove(id) : value;
  }

  /** A view may have the others, or a value that was read since has the same bytes. */
  @Override
  public boolean isChangedInPlace(ObjectValue value) {
    return value.version == mark;
  }

  private void replace(long id, ObjectValue value) {
    ObjectValue before = resident.get(id);
    if (before != null) {
      drop(before);
    }
    add(id, value);
    change(value);
  }

  private void change(ObjectValue value) {
    if (!value.dirty) {
      value.dirty = true;
      changed.put(value.id, value);
    }
  }

  private void add(long id, ObjectValue value) {
    value.id = id;
    resident.put(id, value);
    link(value);
    residentBytes += bytes(value);
    live += value.removed ? 0 : 1;
    makeRoom(value);
  }

  private static int bytes(ObjectValue value) {
    return OBJECT_BYTES + value.capacity();
  }

  /**
   * Objects leave the memory, those that were used first before others. A part of the heap that
   * becomes smaller is given back in many calls, so that none takes long.
   */
  private void makeRoom(ObjectValue kept) {
    long limit = heap.replicaBytes() - frozenBytes;
    long freed = 0;
    for (int i = 0;
        (i < LEAVING_PER_CALL || freed < bytes(kept))
            && residentBytes > limit
            && resident.size() > LEAST_OBJECTS
            && ends.newer != kept;
        i++) {
      ObjectValue first = ends.newer;
      write(first);
      drop(first);
      freed += bytes(first);
    }
  }

  @Override
  public void tick() {
    makeRoom(ends);
  }

  /** A resident leaves the memory. */
  private void drop(ObjectValue value) {
    unlink(value);
    resident.remove(value.id);
    residentBytes -= bytes(value);
    live -= value.removed ? 0 : 1;
    if (changed.get(value.id) == value) {
      changed.remove(value.id);
    }
    if (frozen != null && frozen.get(value.id) == value) {
      thaw(value);
    }
  }

  /** The view has no use of what is written. */
  private void thaw(ObjectValue value) {
    synchronized (stored) {
      if (value.dirty) {
        frozenBytes += bytes(value);
      } else {
        frozen.remove(value.id);
      }
    }
  }

  /** Writes an object, after what the view has of it. */
  private void write(ObjectValue value) {
    if (value.dirty) {
      ObjectValue before = frozen == null ? null : frozen.get(value.id);
      if (before != null) {
        writeOnce(before);
      }
      writeOnce(value);
    }
  }

  /** Any thread: that of the view writes too. */
  private void writeOnce(ObjectValue value) {
    synchronized (stored) {
      if (value.dirty) {
        if (value.removed) {
          stored.remove(value.id, value.version);
        } else {
          stored.put(value.id, value.version, value.bytes(), value.length());
        }
        value.dirty = false;
      }
    }
  }

  private void link(ObjectValue last) {
    last.older = ends.older;
    last.newer = ends;
    ends.older.newer = last;
    ends.older = last;
  }

  /** Without links of its own, so that whoever holds it does not hold all that leave after it. */
  private static void unlink(ObjectValue value) {
    value.older.newer = value.newer;
    value.newer.older = value.older;
    value.older = null;
    value.newer = null;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public boolean isViewed() {
    return frozen != null;
  }

  @Override
  public StateView view() {
    LongMap<ObjectValue> taken = changed;
    int objects = size;
    frozen = taken;
    changed = new LongMap<>();
    mark = stored.mark();
    return new StateView() {
      private volatile boolean saved;

      @Override
      public void save(DataOutput out) throws IOException {
        writeAll(taken);
        saved = true;
        out.writeInt(FORMAT);
        out.writeInt(objects);
      }

      @Override
      public void close() {
        if (frozen == taken) {
          if (!saved) {
            writeAll(taken);
          }
          frozen = null;
          frozenBytes = 0;
        }
      }
    };
  }

  /** Beside calls that let some leave. */
  private void writeAll(LongMap<ObjectValue> values) {
    long[] ids;
    synchronized (stored) {
      ids = values.keys();
    }
    for (long id : ids) {
      synchronized (stored) {
        ObjectValue value = values.get(id);
        if (value != null) {
          writeOnce(value);
        }
      }
    }
  }

  @Override
  public void reset() {
    resident.clear();
    changed = new LongMap<>();
    frozen = null;
    frozenBytes = 0;
    while (ends.newer != ends) {
      unlink(ends.newer);
    }
    gone.clear();
    residentBytes = 0;
    live = 0;
    size = 0;
    mark = stored.rollBack();
  }

  @Override
  public void restore(DataInput in) throws IOException {
    int format = in.readInt();
    int objects = in.readInt();
    if (format == FORMAT && objects >= 0) {
      size = objects;
      return;
    }
    if (format != TransactionLog.OBJECTS_FORMAT || objects < 0) {
      throw ObjectValues.unknown(format, objects, FORMAT);
    }
    stored.clear();
    mark = 0;
    for (int i = 0; i < objects; i++) {
      long id = in.readLong();
      byte[] bytes = ObjectValues.read(in, id);
      replace(id, new ObjectValue(bytes, bytes.length, mark));
    }
    size = objects;
  }
}
