package dev.weir.cluster.state;

/**
 * A {@link LongMap} of which a view costs nothing to take. While a view is open, the map does not
 * change and writes go to an overlay; later {@link #step} moves the overlay back, some entries at a
 * time. One thread at a time; the frozen map may be read by another.
 */
final class VersionedTable<V> {
  private static final int ENTRIES_PER_STEP = 64;

  /** In the overlay: the key was removed. */
  private static final Object REMOVED = new Object();

  private static final long[] NO_KEYS = {};

  private LongMap<V> base = new LongMap<>();

  /** What changed since the view was taken; empty if there was none. Values or REMOVED. */
  private LongMap<Object> overlay = new LongMap<>();

  private boolean frozen;

  /** Keys of the overlay that {@link #step} moves, from {@link #nextMoved} on. */
  private long[] moved = NO_KEYS;

  private int nextMoved;
  private int size;

  int size() {
    return size;
  }

  /** Whether there is a view, so that values of before it must be replaced and not changed. */
  boolean isFrozen() {
    return frozen;
  }

  @SuppressWarnings("unchecked")
  V get(long key) {
    if (overlay.size() > 0) {
      Object changed = overlay.get(key);
      if (changed != null) {
        return changed == REMOVED ? null : (V) changed;
      }
    }
    return base.get(key);
  }

  void put(long key, V value) {
    if (get(key) == null) {
      size++;
    }
    set(key, value);
  }

  /** Returns what was removed, or null. */
  V remove(long key) {
    V removed = get(key);
    if (removed != null) {
      size--;
      set(key, null);
    }
    return removed;
  }

  private void set(long key, V value) {
    if (frozen) {
      setOverlay(key, value);
      return;
    }
    if (overlay.size() > 0) {
      overlay.remove(key);
    }
    setBase(key, value);
  }

  private void setOverlay(long key, V value) {
    if (value != null) {
      overlay.put(key, value);
    } else if (base.get(key) != null) {
      overlay.put(key, REMOVED);
    } else {
      overlay.remove(key);
    }
  }

  private void setBase(long key, V value) {
    if (value == null) {
      base.remove(key);
    } else {
      base.put(key, value);
    }
  }

  void clear() {
    base = new LongMap<>();
    overlay = new LongMap<>();
    frozen = false;
    moved = NO_KEYS;
    nextMoved = 0;
    size = 0;
  }

  /** Whether the changes of the last view are moved back, so that the next can be taken. */
  boolean canFreeze() {
    return !frozen && nextMoved == moved.length;
  }

  /** Keeps the present map as it is until {@link #thaw}, and returns it. */
  LongMap<V> freeze() {
    frozen = true;
    return base;
  }

  /** Ends a view; does nothing if the table was cleared since. */
  void thaw(LongMap<V> view) {
    if (frozen && base == view) {
      frozen = false;
      moved = overlay.keys();
      nextMoved = 0;
    }
  }

  /** Moves some entries of the overlay back. */
  void step() {
    if (nextMoved == moved.length) {
      return;
    }
    int end = Math.min(moved.length, nextMoved + ENTRIES_PER_STEP);
    while (nextMoved < end) {
      move(moved[nextMoved++]);
    }
    if (nextMoved == moved.length) {
      overlay = new LongMap<>();
      moved = NO_KEYS;
      nextMoved = 0;
    }
  }

  @SuppressWarnings("unchecked")
  private void move(long key) {
    Object changed = overlay.remove(key);
    if (changed != null) {
      setBase(key, changed == REMOVED ? null : (V) changed);
    }
  }
}
