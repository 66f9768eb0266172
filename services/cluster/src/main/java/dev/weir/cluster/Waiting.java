package dev.weir.cluster;

/** What the thread of a group does while there is nothing to do. */
public enum Waiting {
  /**
   * Sleeps in the operating system until woken: costs a wake-up for each step, and no CPU at rest.
   */
  BLOCK,
  /** Polls without pause: the shortest latency, one CPU per thread taken for good. */
  SPIN
}
