package dev.weir.bench.cluster.steady;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Counts replies over time and finds the longest time without replies. For any thread. */
public final class ReplyTimeline {
  /** The time that one slot covers. */
  public static final long SLOT_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final long startNs;
  private int[] slots = new int[1024];
  private int used;
  private long lastNs;
  private Gap gap;

  /** A time without replies: between two replies, or before the first. */
  public record Gap(long fromNs, long toNs) {
    public double ms() {
      return (toNs - fromNs) / 1e6;
    }
  }

  public ReplyTimeline(long startNs) {
    this.startNs = startNs;
    this.lastNs = startNs;
    watchGaps();
  }

  public long startNs() {
    return startNs;
  }

  public synchronized void onReply(long nowNs) {
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
  public final synchronized void watchGaps() {
    gap = new Gap(lastNs, lastNs);
  }

  /** The longest gap since {@link #watchGaps}. */
  public synchronized Gap longestGap() {
    return gap;
  }

  /** The number of replies in each slot since the start. */
  public synchronized int[] slots() {
    return Arrays.copyOf(slots, used);
  }

  /** The slot to which a time belongs, counted from 0; below 0 for a time before the start. */
  int slot(long timeNs) {
    return (int) Math.floorDiv(timeNs - startNs, SLOT_NS);
  }
}
