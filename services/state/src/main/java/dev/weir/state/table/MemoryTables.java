package dev.weir.state.table;

import dev.weir.state.change.Records;
import dev.weir.state.change.State;
import dev.weir.state.index.IndexFields;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;

/**
 * The keys and the index of a factory that is never on disk. Its documents are with the engine,
 * which finds them by key. Any thread reads; the thread of a key's shard writes.
 */
public final class MemoryTables implements Tables {
  /** Estimated heap of a key in its set, without the bytes of the key. */
  private static final int KEY_OVERHEAD_BYTES = 100;

  private final IndexFields fields;
  private final NavigableSet<byte[]> keys = new ConcurrentSkipListSet<>(Arrays::compareUnsigned);
  private final NavigableSet<byte[]> index = new ConcurrentSkipListSet<>(Arrays::compareUnsigned);

  public MemoryTables(IndexFields fields) {
    this.fields = fields;
  }

  /**
   * What a change of one document does to the tables.
   *
   * @param heapBytes estimated heap that the tables hold more afterwards; below 0 for less
   */
  public record Update(
      byte[] key,
      boolean created,
      boolean deleted,
      List<byte[]> removed,
      List<byte[]> added,
      long heapBytes) {}

  /** Finds out what a change does; nothing is changed yet. */
  public Update update(byte[] key, State before, State after) {
    return update(fields, key, before, after);
  }

  /** Finds out what a change does to tables with these fields. */
  public static Update update(IndexFields fields, byte[] key, State before, State after) {
    List<byte[]> removed = Records.entries(fields, key, before);
    List<byte[]> added = Records.entries(fields, key, after);
    Records.dropEqual(removed, added);
    boolean created = before.isAbsent() && !after.isAbsent();
    boolean deleted = after.isAbsent() && !before.isAbsent();
    long keyBytes = KEY_OVERHEAD_BYTES + key.length;
    long bytes = heapBytes(added) - heapBytes(removed);
    return new Update(
        key,
        created,
        deleted,
        removed,
        added,
        bytes + (created ? keyBytes : deleted ? -keyBytes : 0));
  }

  private static long heapBytes(List<byte[]> entries) {
    long bytes = 0;
    for (byte[] entry : entries) {
      bytes += KEY_OVERHEAD_BYTES + entry.length;
    }
    return bytes;
  }

  /** Adds what a change adds. Called before readers see the change. */
  public void add(Update update) {
    if (update.created) {
      keys.add(update.key);
    }
    update.added.forEach(index::add);
  }

  /** Removes what a change removes. Called when readers see the change. */
  public void remove(Update update) {
    if (update.deleted) {
      keys.remove(update.key);
    }
    update.removed.forEach(index::remove);
  }

  /** None: a document that the engine does not know does not exist. */
  @Override
  public State get(byte[] key) {
    return State.ABSENT;
  }

  @Override
  public void scanIndex(Range range, Predicate<byte[]> visitor) {
    scan(index, range, visitor);
  }

  @Override
  public void scanKeys(Range range, Predicate<byte[]> visitor) {
    scan(keys, range, visitor);
  }

  private static void scan(NavigableSet<byte[]> set, Range range, Predicate<byte[]> visitor) {
    NavigableSet<byte[]> part = set.tailSet(range.from(), true);
    if (range.to() != null) {
      if (Arrays.compareUnsigned(range.from(), range.to()) >= 0) {
        return;
      }
      part = part.headSet(range.to(), false);
    }
    for (byte[] key : range.descending() ? part.descendingSet() : part) {
      if (!visitor.test(key)) {
        return;
      }
    }
  }
}
