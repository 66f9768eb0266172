package dev.weir.cluster.replica;

import java.util.Arrays;

/**
 * Finds members from which nothing comes though they are connected: after a cut without a word a
 * connection may sleep for as long as the cut took, another is made at once.
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

  /** Lets time pass. After a stop of this process what came lies unread: silence counts anew. */
  void tick(long timeNs) {
    if (timeNs - nowNs > longestNs / 2) {
      Arrays.fill(heardNs, timeNs);
    }
    nowNs = timeNs;
  }

  /** Whether it has been silent for too long; if so, it counts anew. */
  boolean isOver(int member) {
    boolean over = nowNs - heardNs[member] > longestNs;
    if (over) {
      heardNs[member] = nowNs;
    }
    return over;
  }
}
