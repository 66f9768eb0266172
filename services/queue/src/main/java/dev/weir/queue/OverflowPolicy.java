package dev.weir.queue;

/** What a queue does with a message that exceeds its budget. Every outcome is counted. */
public enum OverflowPolicy {
  /** The append fails at once with the {@linkplain QueueException.Reason reason}. */
  FAIL,
  /** The append completes when there is room. */
  BLOCK,
  /** The arriving message is dropped, and its append fails with the reason. */
  DROP_NEWEST,
  /**
   * The oldest messages that no consumer has are dropped: first delayed messages, failed ones and
   * those that wait for their key, then those that wait in order.
   */
  DROP_OLDEST
}
