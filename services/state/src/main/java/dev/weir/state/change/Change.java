package dev.weir.state.change;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What one operation changes in the tables of its factory. It says what is to be written and
 * depends on nothing else, so applying it twice is the same as once.
 *
 * @param factory the name of the factory
 * @param key the key of the document, in UTF-8
 * @param after what is to be written; absent to delete the record
 * @param removed entries that leave the index of the factory
 * @param added entries that come into the index
 * @param floor if a record is deleted, the version that no later document may have or be below
 * @param kept what happens to the kept versions of the document
 */
public record Change(
    String factory,
    byte[] key,
    State after,
    List<byte[]> removed,
    List<byte[]> added,
    long floor,
    KeptVersions kept) {
  /** Estimated heap of a change and its operation without the bytes of key, record and entries. */
  private static final int OVERHEAD_BYTES = 400;

  /** The record to write, see {@link Records}; null to delete it. */
  public byte[] record() {
    return after.isAbsent() ? null : Records.encode(after);
  }

  /**
   * This change and a later one of the same key as one: of what lies between them only the versions
   * to keep are written.
   */
  public Change then(Change later) {
    List<byte[]> gone = later.removed;
    List<byte[]> come = later.added;
    if (!removed.isEmpty() || !added.isEmpty()) {
      gone = new ArrayList<>(removed);
      come = new ArrayList<>(added);
      for (byte[] entry : later.removed) {
        if (!come.removeIf(other -> Arrays.equals(other, entry))) {
          gone.add(entry);
        }
      }
      come.addAll(later.added);
      Records.dropEqual(gone, come);
    }
    return new Change(
        factory, key, later.after, gone, come, Math.max(floor, later.floor), kept.then(later.kept));
  }

  /** Estimated heap. */
  public long heapBytes() {
    long bytes = OVERHEAD_BYTES + key.length + after.bytes();
    for (byte[] entry : removed) {
      bytes += entry.length + Long.BYTES * 3;
    }
    for (byte[] entry : added) {
      bytes += entry.length + Long.BYTES * 3;
    }
    return bytes;
  }
}
