package dev.weir.cluster.state;

import dev.weir.cluster.StateView;
import dev.weir.cluster.log.TransactionLog;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** All objects in memory. */
final class HeapValues implements ObjectValues {
  private final VersionedTable<ObjectValue> values = new VersionedTable<>();

  @Override
  public ObjectValue get(long id) {
    return values.get(id);
  }

  @Override
  public void set(long id, ByteBuffer from, int at, int length) {
    ObjectValue value = values.get(id);
    if (value == null || !isChangedInPlace(value)) {
      value = new ObjectValue(new byte[length], length, values.version());
      values.put(id, value);
    }
    value.set(from, at, length);
  }

  @Override
  public void putBack(long id, ObjectValue value) {
    values.put(id, value);
  }

  @Override
  public ObjectValue remove(long id) {
    return values.remove(id);
  }

  @Override
  public ObjectValue take(long id) {
    return values.remove(id);
  }

  /** A view has the others. */
  @Override
  public boolean isChangedInPlace(ObjectValue value) {
    return !values.isViewed() || value.version == values.version();
  }

  @Override
  public int size() {
    return values.size();
  }

  @Override
  public boolean isViewed() {
    return values.isViewed();
  }

  @Override
  public StateView view() {
    VersionedTable<ObjectValue> view = values.view();
    return new StateView() {
      @Override
      public void save(DataOutput out) throws IOException {
        HeapValues.save(view, out);
      }

      @Override
      public void close() {
        values.close(view);
      }
    };
  }

  /** Writes all objects, in the order of their ids. */
  private static void save(VersionedTable<ObjectValue> values, DataOutput out) throws IOException {
    out.writeInt(TransactionLog.OBJECTS_FORMAT);
    out.writeInt(values.size());
    for (long id : values.sortedKeys()) {
      ObjectValue value = values.get(id);
      out.writeLong(id);
      out.writeInt(value.length());
      out.write(value.bytes(), 0, value.length());
    }
  }

  @Override
  public void reset() {
    values.clear();
  }

  @Override
  public void restore(DataInput in) throws IOException {
    int format = in.readInt();
    int objects = in.readInt();
    if (format != TransactionLog.OBJECTS_FORMAT || objects < 0) {
      throw ObjectValues.unknown(format, objects, TransactionLog.OBJECTS_FORMAT);
    }
    for (int i = 0; i < objects; i++) {
      long id = in.readLong();
      byte[] bytes = ObjectValues.read(in, id);
      values.put(id, new ObjectValue(bytes, bytes.length, values.version()));
    }
  }
}
