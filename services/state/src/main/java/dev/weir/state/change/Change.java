package dev.weir.state.change;

import java.util.List;

/**
 * What one operation changes in the tables of its factory. It says what is to be written and
 * depends on nothing else, so applying it twice is the same as once.
 *
 * @param factory the name of the factory
 * @param key the key of the document, in UTF-8
 * @param record the record to write, see {@link Records}; null to delete it
 * @param removed entries that leave the index of the factory
 * @param added entries that come into the index
 * @param floor if the record is deleted, the version that no later document may have or be below
 */
public record Change(
    String factory,
    byte[] key,
    byte[] record,
    List<byte[]> removed,
    List<byte[]> added,
    long floor) {
  /** Estimated heap of a change and its operation without the bytes of key, record and entries. */
  private static final int OVERHEAD_BYTES = 400;

  /** Estimated heap. */
  public long heapBytes() {
    long bytes = OVERHEAD_BYTES + key.length + (record == null ? 0 : record.length);
    for (byte[] entry : removed) {
      bytes += entry.length + Long.BYTES * 3;
    }
    for (byte[] entry : added) {
      bytes += entry.length + Long.BYTES * 3;
    }
    return bytes;
  }
}
