package dev.weir.queue.je;

import dev.weir.queue.segment.MemorySegments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * What survives the processes of a simulated store: its transactions in the order of their commits,
 * as the log of JE keeps them. A killed process loses those that the operating system does not
 * have; a loss of power those that the device does not have. Of these, the disk keeps as many as
 * chance decides, but none without all before it.
 */
public final class SimDisk {
  /** What a record costs in the log beside its key and value. */
  private static final int RECORD_BYTES = 40;

  /** A record that was written, or deleted if the value is null. */
  record Change(String table, byte[] key, byte[] value) {}

  private final SplittableRandom random;
  private final Map<String, TreeMap<byte[], byte[]>> synced = new TreeMap<>();

  /** Transactions that the device may not have. */
  private final List<List<Change>> unsynced = new ArrayList<>();

  /** The first of them that were written to the operating system. */
  private int written;

  /** Bytes of the file system. */
  public long capacityBytes = Long.MAX_VALUE / 2;

  /** Bytes of the file system that others use. */
  public long otherBytes;

  /** Free space below which nothing is appended. */
  public long minFreeBytes = 16 << 10;

  /** Bytes of the log, with records that are obsolete. */
  private long logBytes;

  /** Transactions that the device has. */
  private long syncs;

  /** Large packets. */
  final MemorySegments segments = new MemorySegments();

  /** True once the power was lost, until the next process begins. */
  boolean powerLost;

  /**
   * @param random null if what is not sure to be kept is lost
   */
  public SimDisk(SplittableRandom random) {
    this.random = random;
  }

  static TreeMap<byte[], byte[]> newTable() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  // ---- space

  public long freeBytes() {
    return capacityBytes - otherBytes - usedBytes();
  }

  /** Bytes of the log and of the segments. */
  public long usedBytes() {
    return logBytes + segments.bytes();
  }

  void grow(byte[] key, byte[] value) {
    logBytes += cost(key, value);
  }

  private static long cost(byte[] key, byte[] value) {
    return RECORD_BYTES + key.length + (value == null ? 0 : value.length);
  }

  /** Gives the space of obsolete records back. */
  void clean(Map<String, TreeMap<byte[], byte[]>> live) {
    logBytes = 0;
    live.values().forEach(table -> table.forEach(this::grow));
  }

  // ---- transactions

  void commit(List<Change> changes) {
    unsynced.add(changes);
  }

  /** The operating system has all that is committed. */
  void write() {
    written = unsynced.size();
  }

  int writtenNow() {
    return written;
  }

  long syncs() {
    return syncs;
  }

  /** The device has the first transactions. */
  void sync(int count) {
    List<List<Change>> first = unsynced.subList(0, Math.max(0, Math.min(count, unsynced.size())));
    first.forEach(changes -> apply(changes, synced));
    written -= first.size();
    syncs += first.size();
    first.clear();
  }

  void syncAll() {
    write();
    sync(written);
  }

  private static void apply(List<Change> changes, Map<String, TreeMap<byte[], byte[]>> to) {
    for (Change change : changes) {
      TreeMap<byte[], byte[]> table = to.computeIfAbsent(change.table, name -> newTable());
      if (change.value == null) {
        table.remove(change.key);
      } else {
        table.put(change.key, change.value);
      }
    }
  }

  /** The process is gone, or has given up its environment. */
  public void kill() {
    cut(written);
  }

  /** The power is gone. */
  public void losePower() {
    segments.losePower();
    powerLost = true;
    cut(0);
    syncAll();
  }

  private void cut(int atLeast) {
    int keep = atLeast;
    if (random != null && unsynced.size() > atLeast && random.nextInt(3) > 0) {
      keep += random.nextInt(unsynced.size() - atLeast + 1);
    }
    unsynced.subList(keep, unsynced.size()).clear();
    written = unsynced.size();
  }

  /** Deletes a record for good; no process runs. */
  void forget(String table, byte[] key) {
    unsynced.add(List.of(new Change(table, key, null)));
    syncAll();
  }

  /** What a process finds. */
  Map<String, TreeMap<byte[], byte[]>> read() {
    Map<String, TreeMap<byte[], byte[]>> found = new TreeMap<>();
    synced.forEach(
        (name, records) -> {
          TreeMap<byte[], byte[]> table = newTable();
          table.putAll(records);
          found.put(name, table);
        });
    unsynced.forEach(changes -> apply(changes, found));
    return found;
  }
}
