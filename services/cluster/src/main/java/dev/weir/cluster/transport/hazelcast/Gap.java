package dev.weir.cluster.transport.hazelcast;

/**
 * A place in a row of frames where one is missing, and for how long somebody has seen that. Threads
 * that take frames make and close gaps, one at a time; another thread looks at them.
 */
final class Gap {
  private static final long NONE = 0;

  private final long longestNs;
  private final long stopNs;
  private long count = NONE;
  private volatile long open = NONE;

  // Of the thread that looks.
  private long seen = NONE;
  private long seenNs;
  private long lookNs;

  /**
   * @param longestNs for which a gap may be seen before it is over
   * @param stopNs between two looks counts as no more than that: after a stop of this process the
   *     thread that has the missing frame may not have run yet
   */
  Gap(long longestNs, long stopNs) {
    this.longestNs = longestNs;
    this.stopNs = stopNs;
  }

  /** A frame is missing, and none was so far. */
  void open() {
    if (open == NONE) {
      openNext();
    }
  }

  /** The missing frame has come; another one is missing. */
  void openNext() {
    open = ++count;
  }

  /** No frame is missing. */
  void close() {
    open = NONE;
  }

  /**
   * Looks; to be called again and again, whether there is a gap or not.
   *
   * @return number of a gap that has been seen for too long, for {@link #isOpen}; 0 if there is
   *     none
   */
  long look(long nowNs) {
    long now = open;
    long sinceNs = Math.min(nowNs - lookNs, stopNs);
    lookNs = nowNs;
    if (now == NONE || now != seen) {
      seen = now;
      seenNs = 0;
      return NONE;
    }
    seenNs += sinceNs;
    return seenNs > longestNs ? now : NONE;
  }

  /** Whether that gap is still there. */
  boolean isOpen(long gap) {
    return gap != NONE && open == gap;
  }
}
