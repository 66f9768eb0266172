package dev.weir.queue.line;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The deferred messages that were found at the opening of a queue. */
public final class DeferredRecovery {
  /** Number of messages that wait for a time. */
  long due;

  /** Time when the first of them is due, ms since 1970; {@link Long#MAX_VALUE} for none. */
  long nextDueMs = Long.MAX_VALUE;

  /** Ids of the key queues that are blocked by a message that waits for its next attempt. */
  final Set<Long> closedLanes = new HashSet<>();

  /** Number of messages by id of their key queue. */
  final Map<Long, Long> lanes = new HashMap<>();

  /** Lowest sequence by id of the key queue; messages of packets before it are delivered first. */
  final Map<Long, Long> firstSequences = new HashMap<>();

  long bytes;

  /** As {@link QueueRecovery#SUSPECTS} after a crash, or 0. */
  public int suspects;

  /** Number of messages that are of no use after a restart. */
  public long transients;

  /** Delivery counts by sequence; each is used once. */
  public final Map<Long, Integer> deliveries = new HashMap<>();

  /** Sequences of delivery counts whose message is gone. */
  public final Set<Long> orphans = new HashSet<>();

  public void addDeliveries(long sequence, int count) {
    deliveries.put(sequence, count);
    orphans.add(sequence);
  }

  /** Counts a message; called in the order of keys. False if it is of no use after a restart. */
  public boolean add(DeferredKey key) {
    if (key.isTransient()) {
      transients++;
      return false;
    }
    orphans.remove(key.sequence());
    bytes += key.bytes();
    if (key.isDue()) {
      due++;
      nextDueMs = Math.min(nextDueMs, key.order());
      if (key.lane() != 0) {
        closedLanes.add(key.lane());
      }
    } else {
      lanes.merge(key.lane(), 1L, Long::sum);
      if (key.isPlaced()) {
        firstSequences.putIfAbsent(key.lane(), key.sequence());
      }
    }
    return true;
  }

  public long messages() {
    return due + lanes.values().stream().mapToLong(Long::longValue).sum();
  }
}
