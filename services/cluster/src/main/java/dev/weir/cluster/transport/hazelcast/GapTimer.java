package dev.weir.cluster.transport.hazelcast;

/**
 * Measures for how long a frame has been missing between others. The threads that receive frames
 * open and close gaps, one thread at a time. Another thread calls {@link #look} periodically.
 */
final class GapTimer {
  /** Stands for no gap; gaps are numbered from 1 on. */
  private static final long NONE = 0;

  private final long timeoutNs;
  private final long maxStepNs;
  private long count = NONE;
  private volatile long open = NONE;

  // Used only by the thread that looks.
  private long seen = NONE;
  private long seenNs;
  private long lookNs;

  /**
   * @param timeoutNs a gap that is older is reported by {@link #look}
   * @param maxStepNs the time between two looks counts as this much at most: if the process was
   *     stopped, the thread that has the missing frame may not have run since
   */
  GapTimer(long timeoutNs, long maxStepNs) {
    this.timeoutNs = timeoutNs;
    this.maxStepNs = maxStepNs;
  }

  /** Called when a frame is missing; does nothing if one was missing before. */
  void open() {
    if (open == NONE) {
      openNext();
    }
  }

  /** Called when the missing frame has arrived and another one is missing. */
  void openNext() {
    open = ++count;
  }

  /** Called when no frame is missing. */
  void close() {
    open = NONE;
  }

  /**
   * Updates the age of the gap; must be called periodically, also while there is no gap.
   *
   * @return the number of a gap that is older than the timeout, for {@link #isOpen}; otherwise 0
   */
  long look(long nowNs) {
    long now = open;
    long sinceNs = Math.min(nowNs - lookNs, maxStepNs);
    lookNs = nowNs;
    if (now == NONE || now != seen) {
      seen = now;
      seenNs = 0;
      return NONE;
    }
    seenNs += sinceNs;
    return seenNs > timeoutNs ? now : NONE;
  }

  /** Whether the gap with this number is still open; false for 0. */
  boolean isOpen(long gap) {
    return gap != NONE && open == gap;
  }
}
