package dev.weir.cluster.replica;

import java.util.Arrays;

/**
 * Detects connected members that send nothing. After a network cut an old connection may stay
 * silent for long; a new connection works at once.
 */
public final class SilenceDetector {
  private final long[] heardNs;
  private final long longestNs;
  private long nowNs;

  SilenceDetector(int members, long longestNs, long nowNs) {
    this.heardNs = new long[members];
    this.longestNs = longestNs;
    this.nowNs = nowNs;
    Arrays.fill(heardNs, nowNs);
  }

  void heard(int member, long timeNs) {
    heardNs[member] = timeNs;
  }

  /** Lets time pass. After a stop of this process, frames are unread: silence counts anew. */
  void tick(long timeNs) {
    if (timeNs - nowNs > longestNs / 2) {
      Arrays.fill(heardNs, timeNs);
    }
    nowNs = timeNs;
  }

  /** For how long nothing was heard of a member, ns; less if its silence was counted anew. */
  long silentNs(int member, long timeNs) {
    return timeNs - heardNs[member];
  }

  /** Whether a member has been silent for too long; if so, its silence counts anew. */
  boolean isOver(int member) {
    boolean over = nowNs - heardNs[member] > longestNs;
    if (over) {
      heardNs[member] = nowNs;
    }
    return over;
  }
}
