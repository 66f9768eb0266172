package dev.weir.cluster.state;

import java.util.Arrays;

/**
 * A map of long keys to objects that allocates nothing but when it grows. Open addressing, linear
 * probing, at most half full; never shrinks.
 */
final class LongMap<V> {
  private static final int LEAST = 16;

  /** The golden ratio times 2^64; spreads keys that are close to each other. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private long[] keys;
  private Object[] values;
  private int size;

  LongMap() {
    keys = new long[LEAST];
    values = new Object[LEAST];
  }

  private LongMap(LongMap<V> other) {
    keys = other.keys.clone();
    values = other.values.clone();
    size = other.size;
  }

  /** Another map with the same entries. */
  LongMap<V> copy() {
    return new LongMap<>(this);
  }

  int size() {
    return size;
  }

  /** Null if there is none. */
  V get(long key) {
    return value(slot(key));
  }

  /**
   * Adds or replaces.
   *
   * @param value not null
   */
  void put(long key, V value) {
    int slot = slot(key);
    if (values[slot] == null) {
      if (2 * ++size > keys.length) {
        grow();
        slot = slot(key);
      }
      keys[slot] = key;
    }
    values[slot] = value;
  }

  /** Returns what was removed, or null. */
  V remove(long key) {
    int slot = slot(key);
    V removed = value(slot);
    if (removed != null) {
      size--;
      close(slot);
    }
    return removed;
  }

  void clear() {
    Arrays.fill(values, null);
    size = 0;
  }

  /** All keys. */
  long[] keys() {
    long[] found = new long[size];
    int count = 0;
    for (int i = 0; i < keys.length; i++) {
      if (values[i] != null) {
        found[count++] = keys[i];
      }
    }
    return found;
  }

  /** Where the key is or would be. */
  private int slot(long key) {
    int slot = home(key);
    while (values[slot] != null && keys[slot] != key) {
      slot = next(slot);
    }
    return slot;
  }

  private int home(long key) {
    return (int) (key * SPREAD >>> Long.numberOfLeadingZeros(keys.length - 1L));
  }

  private int next(int slot) {
    return slot + 1 & keys.length - 1;
  }

  @SuppressWarnings("unchecked")
  private V value(int slot) {
    return (V) values[slot];
  }

  /** Empties a slot and moves up the entries that collided with it. */
  private void close(int empty) {
    int hole = empty;
    for (int slot = next(hole); values[slot] != null; slot = next(slot)) {
      int fromHome = slot - home(keys[slot]) & keys.length - 1;
      int fromHole = slot - hole & keys.length - 1;
      if (fromHome >= fromHole) {
        keys[hole] = keys[slot];
        values[hole] = values[slot];
        hole = slot;
      }
    }
    values[hole] = null;
  }

  private void grow() {
    long[] oldKeys = keys;
    Object[] oldValues = values;
    keys = new long[2 * oldKeys.length];
    values = new Object[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != null) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }
}
