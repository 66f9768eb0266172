package dev.weir.group;

import dev.weir.options.Checks;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A state in memory, so that a {@link GroupProcessor} is tested without a cluster. It keeps values
 * as bytes, as a group does: a change of an object that was stored or read does not change the
 * state. One thread at a time.
 */
public final class MemoryState implements GroupState {
  private final Map<String, byte[]> values = new TreeMap<>();
  private final Map<String, GroupTimer> pending = new TreeMap<>();
  private final List<String> sent = new ArrayList<>();
  private int version = 1;

  /**
   * Gives a message to a processor as a group does: if it throws, nothing has changed.
   *
   * @param processor not null
   * @param message not null
   * @return the reply
   */
  public <M> Object handle(GroupProcessor<M> processor, GroupMessage<M> message) {
    Map<String, byte[]> valuesBefore = new TreeMap<>(values);
    Map<String, GroupTimer> pendingBefore = new TreeMap<>(pending);
    int sentBefore = sent.size();
    try {
      return processor.handle(message, this);
    } catch (RuntimeException | Error e) {
      restore(values, valuesBefore);
      restore(pending, pendingBefore);
      sent.subList(sentBefore, sent.size()).clear();
      throw e;
    }
  }

  private static <V> void restore(Map<String, V> map, Map<String, V> before) {
    map.clear();
    map.putAll(before);
  }

  /** How many values all tables have together. */
  public int size() {
    return values.size();
  }

  /** The timers that are set, by their names; who removes one here cancels it. */
  public Map<String, GroupTimer> pendingTimers() {
    return pending;
  }

  /** The messages to other services, in order: address, key and body with blanks between. */
  public List<String> sent() {
    return List.copyOf(sent);
  }

  /** What {@link #version()} says from now on, 1 or more; 1 without this call. */
  public MemoryState setVersion(int newVersion) {
    version = Checks.range("version", newVersion, 1, Integer.MAX_VALUE);
    return this;
  }

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
        pending.put(name, new GroupTimer(name, body, dueMs, dueMs));
      }

      @Override
      public void cancel(String name) {
        pending.remove(name);
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
