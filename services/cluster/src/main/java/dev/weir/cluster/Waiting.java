package dev.weir.cluster;

/** How a thread of a group waits for work. */
public enum Waiting {
  /**
   * Sleeps in the operating system until woken: each step costs a wake-up, an idle thread no CPU.
   */
  BLOCK,
  /** Polls without pause: the shortest latency, but each thread always uses one CPU. */
  SPIN
}
