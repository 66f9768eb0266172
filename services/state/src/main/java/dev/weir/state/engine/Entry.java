package dev.weir.state.engine;

import dev.weir.state.change.State;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** A key in memory. Its shard's thread changes it, the commit thread notes what is committed. */
final class Entry {
  /** Estimated heap of an entry without the bytes of its key and document. */
  private static final int OVERHEAD_BYTES = 200;

  private static final AtomicIntegerFieldUpdater<Entry> PENDING =
      AtomicIntegerFieldUpdater.newUpdater(Entry.class, "pending");

  final String key;

  /** The map of the shard that the entry is in. */
  final Residents home;

  /** What readers get: committed, or, in a factory with a commit interval, decided. */
  volatile State published;

  /** What the next operation works on; used by the shard's thread only. */
  State latest;

  /** Changes that are decided and not committed. */
  private volatile int pending;

  /** True once a commit of this key has failed: what is in memory is not what is on disk. */
  volatile boolean dead;

  /** Whether the entry was used since the eviction looked at it last. */
  volatile boolean touched;

  /** What the shard counts for the entry. */
  long bytes;

  /** The last batch with a change of the key, and its place there; used by the commit thread. */
  long batch;

  int place;

  Entry(String key, State state, Residents home) {
    this.key = key;
    this.home = home;
    this.latest = state;
    this.published = state;
    this.bytes = heapBytes();
  }

  long heapBytes() {
    return heapBytes(latest);
  }

  /** What the entry would hold with another state. */
  long heapBytes(State state) {
    return OVERHEAD_BYTES + key.length() + state.bytes();
  }

  void touch() {
    if (!touched) {
      touched = true;
    }
  }

  void begin() {
    PENDING.incrementAndGet(this);
  }

  void end() {
    PENDING.decrementAndGet(this);
  }

  boolean isPending() {
    return pending > 0;
  }
}
