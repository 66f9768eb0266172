package dev.weir.bench.cluster.injection;

import dev.weir.cluster.State;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The state of a processor without a cluster, in memory. */
final class MemoryState implements State {
  private final Map<Long, ByteBuffer> objects = new HashMap<>();

  @Override
  public ByteBuffer get(long id) {
    ByteBuffer object = objects.get(id);
    return object == null ? null : object.asReadOnlyBuffer();
  }

  @Override
  public void put(long id, ByteBuffer value) {
    ByteBuffer object = objects.get(id);
    if (object == null || object.capacity() != value.remaining()) {
      object = ByteBuffer.allocate(value.remaining());
      objects.put(id, object);
    }
    object.put(0, value, value.position(), value.remaining());
  }

  @Override
  public void remove(long id) {
    objects.remove(id);
  }

  @Override
  public int size() {
    return objects.size();
  }
}
