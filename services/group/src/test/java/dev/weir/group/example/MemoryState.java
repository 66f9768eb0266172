package dev.weir.group.example;

import dev.weir.group.GroupState;
import dev.weir.group.GroupTimer;
import dev.weir.group.Serde;
import dev.weir.group.Table;
import dev.weir.group.Timers;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.Map;

/** A state in memory, so that a processor is tested without a cluster. All tables are one. */
final class MemoryState implements GroupState {
  final Map<String, Object> values = new HashMap<>();
  final Map<String, GroupTimer> timers = new HashMap<>();

  @Override
  public <V> Table<V> table(String name, Serde<V> serde) {
    return new MemoryTable<>();
  }

  @Override
  public Timers timers() {
    return new Timers() {
      @Override
      public void set(String name, long dueMs, Buffer body) {
        timers.put(name, new GroupTimer(name, body, dueMs, dueMs));
      }

      @Override
      public void cancel(String name) {
        timers.remove(name);
      }
    };
  }

  @SuppressWarnings("unchecked")
  private final class MemoryTable<V> implements Table<V> {
    @Override
    public V get(String key) {
      return (V) values.get(key);
    }

    @Override
    public void put(String key, V value) {
      values.put(key, value);
    }

    @Override
    public void remove(String key) {
      values.remove(key);
    }
  }
}
