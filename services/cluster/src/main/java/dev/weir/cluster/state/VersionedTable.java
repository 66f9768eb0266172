package dev.weir.cluster.state;

import java.util.Arrays;

/**
 * A map of long keys to objects, of which a view can be taken and ended at once, however many
 * objects there are. The objects are in segments of a bounded number of entries. The directory has
 * the segment of each key by the first bits of the key's hash (extendible hashing).
 *
 * <p>A view has a copy of the directory. While it is open, a write replaces the segment that the
 * view has by a copy. So there is nothing to merge when the view ends. A write copies or splits one
 * segment at most, and may double the directory, which has a slot for 128 entries or so.
 *
 * <p>One thread at a time; a view may be read by another.
 */
final class VersionedTable<V> {
  /** A segment with as many entries is split before the next one comes. */
  private static final int SEGMENT_ENTRIES = 256;

  /**
   * The directory has no more slots than one for so many entries. So keys with hashes that are
   * almost the same cannot fill the heap with slots; their segment grows instead.
   */
  private static final int LEAST_ENTRIES_PER_SLOT = SEGMENT_ENTRIES / 16;

  static final long MIX = 0xBF58476D1CE4E5B9L;

  /** Its length is 2 to the power of {@link #depth}. */
  private Segment<V>[] directory;

  /** Bits of the hash that choose the slot. */
  private int depth;

  private int size;

  /** Number of views taken so far. */
  private int version;

  /** The open view; null if there is none. */
  private VersionedTable<V> view;

  /**
   * Entries whose hashes begin with the same bits.
   *
   * @param depth how many bits
   * @param version when it was made; a view that is open and was taken later has it too
   */
  private record Segment<V>(LongMap<V> entries, int depth, int version) {}

  VersionedTable() {
    clear();
  }

  private VersionedTable(VersionedTable<V> other) {
    directory = other.directory.clone();
    depth = other.depth;
    size = other.size;
  }

  int size() {
    return size;
  }

  /** Whether a view is open, so that objects of before it must be replaced and not changed. */
  boolean isViewed() {
    return view != null;
  }

  /** Number of views taken so far. */
  int version() {
    return version;
  }

  /** Null if there is none. */
  V get(long key) {
    return directory[slot(key)].entries.get(key);
  }

  /** Adds or replaces; the value is not null. */
  void put(long key, V value) {
    LongMap<V> entries = writable(key);
    int before = entries.size();
    if (before >= SEGMENT_ENTRIES && entries.get(key) == null) {
      entries = split(key);
      before = entries.size();
    }
    entries.put(key, value);
    size += entries.size() - before;
  }

  /** Returns what was removed, or null. */
  V remove(long key) {
    if (get(key) == null) {
      return null;
    }
    size--;
    return writable(key).remove(key);
  }

  /** Removes everything. A view that is open stays as it is, and needs no {@link #close}. */
  @SuppressWarnings("unchecked")
  void clear() {
    directory = (Segment<V>[]) new Segment<?>[] {new Segment<>(new LongMap<V>(), 0, version)};
    depth = 0;
    size = 0;
    view = null;
  }

  /** The map as it is now, to be read until {@link #close}. One view at a time. */
  VersionedTable<V> view() {
    view = new VersionedTable<>(this);
    version++;
    return view;
  }

  /** Ends a view; does nothing if the map was cleared since. */
  void close(VersionedTable<V> ended) {
    if (view == ended) {
      view = null;
    }
  }

  /** All keys, ascending. */
  long[] sortedKeys() {
    long[] keys = new long[size];
    int count = 0;
    for (int slot = 0; slot < directory.length; slot += slots(directory[slot])) {
      long[] found = directory[slot].entries.keys();
      System.arraycopy(found, 0, keys, count, found.length);
      count += found.length;
    }
    Arrays.sort(keys);
    return keys;
  }

  /** The lower half of it is used. Another hash than that by which a segment places its keys. */
  private static long hash(long key) {
    long mixed = (key ^ key >>> 30) * MIX;
    return mixed ^ mixed >>> 31;
  }

  private int slot(long key) {
    return (int) hash(key) >>> 1 >>> 31 - depth;
  }

  /** Number of slots that have a segment; they stand side by side. */
  private int slots(Segment<V> segment) {
    return 1 << depth - segment.depth;
  }

  /** Entries of the segment of a key, which no view has. */
  private LongMap<V> writable(long key) {
    int slot = slot(key);
    Segment<V> segment = directory[slot];
    if (view != null && segment.version != version) {
      segment = new Segment<>(segment.entries.copy(), segment.depth, version);
      set(slot, segment);
    }
    return segment.entries;
  }

  /** Puts a segment into all its slots; one of them is given. */
  private void set(int slot, Segment<V> segment) {
    int slots = slots(segment);
    int first = slot & -slots;
    Arrays.fill(directory, first, first + slots, segment);
  }

  /** Splits the segment of a key until there is room; returns the entries of the key's segment. */
  private LongMap<V> split(long key) {
    Segment<V> segment = directory[slot(key)];
    while (segment.entries.size() >= SEGMENT_ENTRIES && maySplit(segment)) {
      split(slot(key), segment);
      segment = directory[slot(key)];
    }
    return segment.entries;
  }

  /** Whether the directory has a slot for each half of a segment; doubles it if it may. */
  private boolean maySplit(Segment<V> segment) {
    if (segment.depth < depth) {
      return true;
    }
    if (2L * directory.length * LEAST_ENTRIES_PER_SLOT > size) {
      return false;
    }
    doubleDirectory();
    return true;
  }

  @SuppressWarnings("unchecked")
  private void doubleDirectory() {
    Segment<V>[] doubled = (Segment<V>[]) new Segment<?>[2 * directory.length];
    for (int slot = 0; slot < doubled.length; slot++) {
      doubled[slot] = directory[slot >> 1];
    }
    directory = doubled;
    depth++;
  }

  private void split(int slot, Segment<V> segment) {
    int half = slots(segment) / 2;
    int first = slot & -2 * half;
    set(first, new Segment<>(new LongMap<V>(), segment.depth + 1, version));
    set(first + half, new Segment<>(new LongMap<V>(), segment.depth + 1, version));
    for (long key : segment.entries.keys()) {
      directory[slot(key)].entries.put(key, segment.entries.get(key));
    }
  }
}
