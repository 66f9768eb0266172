package dev.weir.group;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A state in memory, so that a processor is tested without a cluster. It keeps values as bytes, as
 * a group does, each under the name of its table, a 0 and its key.
 */
public final class MemoryState implements GroupState {
  public final Map<String, byte[]> values = new TreeMap<>();
  public final Map<String, GroupTimer> timers = new HashMap<>();

  /** Messages to other services: address, key and body. */
  public final List<String> sent = new ArrayList<>();

  /** The version of the application that all members state. */
  public int version = 1;

  @Override
  public int version() {
    return version;
  }

  @Override
  public <V> Table<V> table(String name, Serde<V> serde) {
    return new Table<>() {
      @Override
      public V get(String key) {
        byte[] value = values.get(name + '\0' + key);
        return value == null ? null : serde.decode(value.clone());
      }

      @Override
      public void put(String key, V value) {
        values.put(name + '\0' + key, serde.encode(value));
      }

      @Override
      public void remove(String key) {
        values.remove(name + '\0' + key);
      }
    };
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

  @Override
  public Outbox outbox() {
    return new Outbox() {
      @Override
      public void send(String address, String key, Object body) {
        sent.add(address + " " + key + " " + body);
      }

      @Override
      public void request(String address, String key, Object body) {
        send(address, key, body);
      }
    };
  }
}
