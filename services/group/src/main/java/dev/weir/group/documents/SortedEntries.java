package dev.weir.group.documents;

import dev.weir.group.Table;
import dev.weir.state.table.Range;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Entries in the order of their bytes, as unsigned numbers, in a table that has no order: a skip
 * list. How high an entry is follows from its bytes, so all copies have the same list.
 *
 * <pre>
 * key    the entry, each byte as a character; empty for the head
 * value  for each level the next entry: its length (2 bytes; -1 for none), and its bytes
 * </pre>
 *
 * Adding or removing an entry writes it and about two others. For one call of a processor.
 */
final class SortedEntries {
  private static final int LEVELS = 12;
  private static final byte[] HEAD = {};
  private static final int SPREAD = 0x9E3779B9;

  private final Table<Buffer> table;

  /** What was read: for each entry the next ones, by level. */
  private final Map<ByteBuffer, byte[][]> nodes = new HashMap<>();

  SortedEntries(Table<Buffer> table) {
    this.table = table;
  }

  /** Adds an entry, not empty; nothing happens if it is there. */
  void add(byte[] entry) {
    byte[][] before = before(entry);
    if (Arrays.equals(next(before[0])[0], entry)) {
      return;
    }
    byte[][] node = new byte[height(entry)][];
    for (int level = 0; level < node.length; level++) {
      byte[][] other = next(before[level]);
      node[level] = other[level];
      other[level] = entry;
    }
    nodes.put(ByteBuffer.wrap(entry), node);
    write(entry, node);
    write(before, node.length);
  }

  /** Removes an entry if it is there. */
  void remove(byte[] entry) {
    byte[][] before = before(entry);
    if (!Arrays.equals(next(before[0])[0], entry)) {
      return;
    }
    byte[][] node = next(entry);
    for (int level = 0; level < node.length; level++) {
      next(before[level])[level] = node[level];
    }
    nodes.remove(ByteBuffer.wrap(entry));
    table.remove(key(entry));
    write(before, node.length);
  }

  /**
   * Visits entries in their order or from the last to the first.
   *
   * @param visitor false to end
   */
  void scan(Range range, Predicate<byte[]> visitor) {
    if (range.descending()) {
      byte[] entry = last(range.to());
      while (entry != HEAD && range.contains(entry) && visitor.test(entry)) {
        entry = before(entry)[0];
      }
      return;
    }
    byte[] entry = next(before(range.from())[0])[0];
    while (entry != null && range.contains(entry) && visitor.test(entry)) {
      entry = next(entry)[0];
    }
  }

  /** The last entry before this one; the head if there is none. */
  private byte[] last(byte[] to) {
    if (to != null) {
      return before(to)[0];
    }
    byte[] at = HEAD;
    for (int level = LEVELS - 1; level >= 0; level--) {
      for (byte[] other = next(at)[level]; other != null; other = next(at)[level]) {
        at = other;
      }
    }
    return at;
  }

  /** For each level the last entry that is before this one. */
  private byte[][] before(byte[] entry) {
    byte[][] before = new byte[LEVELS][];
    byte[] at = HEAD;
    for (int level = LEVELS - 1; level >= 0; level--) {
      byte[] other = next(at)[level];
      while (other != null && Arrays.compareUnsigned(other, entry) < 0) {
        at = other;
        other = next(at)[level];
      }
      before[level] = at;
    }
    return before;
  }

  /** Each level has a fourth of the entries of the one below. */
  private static int height(byte[] entry) {
    int hash = Arrays.hashCode(entry) * SPREAD;
    int zeros = Integer.numberOfTrailingZeros(hash ^ hash >>> 15);
    return Math.min(LEVELS, 1 + zeros / 2);
  }

  private byte[][] next(byte[] entry) {
    return nodes.computeIfAbsent(ByteBuffer.wrap(entry), unread -> read(entry));
  }

  private byte[][] read(byte[] entry) {
    Buffer value = table.get(key(entry));
    byte[][] next = new byte[entry == HEAD ? LEVELS : height(entry)][];
    int at = 0;
    for (int level = 0; value != null && level < next.length; level++) {
      int bytes = value.getShort(at);
      at += Short.BYTES;
      if (bytes >= 0) {
        next[level] = value.getBytes(at, at + bytes);
        at += bytes;
      }
    }
    return next;
  }

  /** Writes the entries of the lowest levels, each once. */
  private void write(byte[][] before, int levels) {
    for (int level = 0; level < levels; level++) {
      if (level == 0 || before[level] != before[level - 1]) {
        write(before[level], next(before[level]));
      }
    }
  }

  private void write(byte[] entry, byte[][] next) {
    Buffer value = Buffer.buffer();
    for (byte[] other : next) {
      value.appendShort((short) (other == null ? -1 : other.length));
      if (other != null) {
        value.appendBytes(other);
      }
    }
    table.put(key(entry), value);
  }

  private static String key(byte[] entry) {
    return new String(entry, StandardCharsets.ISO_8859_1);
  }
}
