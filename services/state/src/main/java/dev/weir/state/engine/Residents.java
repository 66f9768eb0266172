package dev.weir.state.engine;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The entries of a factory in memory that belong to one shard, by their keys. */
final class Residents extends ConcurrentHashMap<String, Entry> {
  private static final long serialVersionUID = 1;

  private final transient LongAdder heapBytes = new LongAdder();

  /** The entries hold more heap, or less. */
  void add(long bytes) {
    if (bytes != 0) {
      heapBytes.add(bytes);
    }
  }

  /** Estimated heap of the entries. */
  long heapBytes() {
    return heapBytes.sum();
  }
}
