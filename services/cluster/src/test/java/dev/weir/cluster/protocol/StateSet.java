package dev.weir.cluster.protocol;

/** A set of states by their numbers, each with the depth to which it is searched. */
final class StateSet {
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private long[] keys = new long[1 << 16];

  /** The depth and one; 0 where there is no state. */
  private byte[] depths = new byte[keys.length];

  private int size;

  int size() {
    return size;
  }

  /** Records a state; returns whether it was not searched as deep as that yet. */
  boolean deepens(long key, int depth) {
    int at = find(key);
    if (depths[at] > depth) {
      return false;
    }
    size += depths[at] == 0 ? 1 : 0;
    keys[at] = key;
    depths[at] = (byte) (depth + 1);
    if (size > keys.length / 2) {
      grow();
    }
    return true;
  }

  /** Where a state is, or its place is free. */
  private int find(long key) {
    int at = (int) (key * SPREAD >>> 32) & keys.length - 1;
    while (depths[at] != 0 && keys[at] != key) {
      at = at + 1 & keys.length - 1;
    }
    return at;
  }

  private void grow() {
    long[] fewer = keys;
    byte[] before = depths;
    keys = new long[2 * fewer.length];
    depths = new byte[keys.length];
    for (int i = 0; i < fewer.length; i++) {
      if (before[i] != 0) {
        int at = find(fewer[i]);
        keys[at] = fewer[i];
        depths[at] = before[i];
      }
    }
  }
}
