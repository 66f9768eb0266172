package dev.weir.cluster.replica;

import java.util.concurrent.TimeUnit;

/**
 * Remembers when the history of the primary had which end, and so for how long a member has lacked
 * what it lacks. Takes samples of the end at {@value #LEVELS} levels. A level keeps the last
 * {@value #SAMPLES}, at least {@value #STEP_MS} ms apart at the first level, and twice as far apart
 * at each next one: so a lag of weeks takes little more room than one of seconds, and is known to a
 * tenth. Under the group's lock.
 */
final class LagTimes {
  static final int LEVELS = 20;
  static final int SAMPLES = 64;
  static final long STEP_MS = 100;

  private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(STEP_MS);

  /** One level behind the other, each a ring. */
  private final long[] timesNs = new long[LEVELS * SAMPLES];

  private final long[] ends = new long[LEVELS * SAMPLES];

  /** Of all samples of a level since the history last became shorter. */
  private final long[] counts = new long[LEVELS];

  private long lastNs;
  private long lastEnd;

  /** Takes in the end of the history at a time; a shorter history is another one. */
  void sample(long nowNs, long end) {
    boolean isAnother = end < lastEnd;
    lastEnd = end;
    if (!isAnother && counts[0] > 0 && nowNs - lastNs < STEP_NS) {
      return;
    }
    lastNs = nowNs;
    for (int level = 0; level < LEVELS; level++) {
      counts[level] = isAnother ? 0 : counts[level];
      int last = place(level, counts[level] - 1);
      if (counts[level] == 0 || end > ends[last] && nowNs - timesNs[last] >= STEP_NS << level) {
        int next = place(level, counts[level]++);
        timesNs[next] = nowNs;
        ends[next] = end;
      }
    }
  }

  /**
   * For how long at least the first message from a position on is there, ns; 0 if there was none at
   * the last sample.
   */
  long behindNs(long position, long nowNs) {
    long longestNs = 0;
    for (int level = 0; level < LEVELS; level++) {
      longestNs = Math.max(longestNs, behindNs(level, position, nowNs));
    }
    return longestNs;
  }

  private long behindNs(int level, long position, long nowNs) {
    for (long sample = Math.max(0, counts[level] - SAMPLES); sample < counts[level]; sample++) {
      if (ends[place(level, sample)] > position) {
        return nowNs - timesNs[place(level, sample)];
      }
    }
    return 0;
  }

  private static int place(int level, long sample) {
    return level * SAMPLES + (int) (sample & SAMPLES - 1);
  }
}
