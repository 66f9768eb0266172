package dev.weir.queue.line;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What was found in a queue's side table when it was opened. */
public final class SideRecovery {
  /** Messages that wait for their time. */
  long due;

  /** When the first of them is due, ms since 1970. */
  long nextDueMs = Long.MAX_VALUE;

  /** Lanes kept closed by a message that waits to be tried again. */
  final Set<Long> closedLanes = new HashSet<>();

  /** Messages in each lane. */
  final Map<Long, Long> lanes = new HashMap<>();

  /** The first sequence in each lane: what was taken from the line before it comes first. */
  final Map<Long, Long> firstSequences = new HashMap<>();

  long bytes;

  /** Messages that were of no use after the restart. */
  public long transients;

  /** How often messages of the table have been delivered, by sequence; each is read once. */
  public final Map<Long, Integer> deliveries = new HashMap<>();

  /** Of these, the ones whose message is gone. */
  public final Set<Long> orphans = new HashSet<>();

  public void addDeliveries(long sequence, int count) {
    deliveries.put(sequence, count);
    orphans.add(sequence);
  }

  /** Counts a message, in the order of keys; false if it is of no use after a restart. */
  public boolean add(SideKey key) {
    orphans.remove(key.sequence());
    if (key.isTransient()) {
      transients++;
      return false;
    }
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
