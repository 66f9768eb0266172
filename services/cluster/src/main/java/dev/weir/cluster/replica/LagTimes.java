package dev.weir.cluster.replica;

import java.util.concurrent.TimeUnit;

/**
 * Remembers when the history of the primary had which end, and so for how long a member has lacked
 * what it lacks. Takes a sample when the end has grown, but at most one in {@value #STEP_MS} ms,
 * and keeps the last {@value #SAMPLES}. Under the group's lock.
 */
final class LagTimes {
  static final int SAMPLES = 512;
  static final long STEP_MS = 100;

  private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(STEP_MS);

  private final long[] timesNs = new long[SAMPLES];
  private final long[] ends = new long[SAMPLES];

  /** Of all samples since the history last became shorter. */
  private long count;

  /** Takes in the end of the history at a time; a shorter history is another one. */
  void sample(long nowNs, long end) {
    int last = place(count - 1);
    if (count > 0 && end < ends[last]) {
      count = 0;
    }
    if (count == 0 || end > ends[last] && nowNs - timesNs[last] >= STEP_NS) {
      timesNs[place(count)] = nowNs;
      ends[place(count)] = end;
      count++;
    }
  }

  /**
   * For how long at least the first message from a position on is there, ns; 0 if there was none at
   * the last sample.
   */
  long behindNs(long position, long nowNs) {
    for (long sample = Math.max(0, count - SAMPLES); sample < count; sample++) {
      if (ends[place(sample)] > position) {
        return nowNs - timesNs[place(sample)];
      }
    }
    return 0;
  }

  private static int place(long sample) {
    return (int) (sample & SAMPLES - 1);
  }
}
