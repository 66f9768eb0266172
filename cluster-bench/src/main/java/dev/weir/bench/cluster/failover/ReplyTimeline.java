package dev.weir.bench.cluster.failover;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Counts replies over time and finds the longest time without replies. For any thread. */
final class ReplyTimeline {
  /** The time that one slot covers. */
  static final long SLOT_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final long startNs;
  private int[] slots = new int[1024];
  private int used;
  private long lastNs;
  private Gap gap;

  /** A time without replies: between two replies, or before the first. */
  record Gap(long fromNs, long toNs) {
    double ms() {
      return (toNs - fromNs) / 1e6;
    }
  }

  ReplyTimeline(long startNs) {
    this.startNs = startNs;
    this.lastNs = startNs;
    watchGaps();
  }

  long startNs() {
    return startNs;
  }

  synchronized void onReply(long nowNs) {
    int slot = (int) ((nowNs - startNs) / SLOT_NS);
    if (slot >= slots.length) {
      slots = Arrays.copyOf(slots, Math.max(slot + 1, 2 * slots.length));
    }
    slots[slot]++;
    used = Math.max(used, slot + 1);
    if (nowNs - lastNs > gap.toNs - gap.fromNs) {
      gap = new Gap(lastNs, nowNs);
    }
    lastNs = nowNs;
  }

  /** Starts a new search for the longest gap. The current gap counts from its beginning. */
  final synchronized void watchGaps() {
    gap = new Gap(lastNs, lastNs);
  }

  /** The longest gap since {@link #watchGaps}. */
  synchronized Gap longestGap() {
    return gap;
  }

  /** The number of replies in each slot since the start. */
  synchronized int[] slots() {
    return Arrays.copyOf(slots, used);
  }
}
