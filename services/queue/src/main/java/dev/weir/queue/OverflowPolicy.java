package dev.weir.queue;

/** What happens to a message that would exceed a budget. Every outcome is counted. */
public enum OverflowPolicy {
  /** The sender is told at once, with the {@linkplain QueueException.Reason reason}. */
  FAIL,
  /** The append completes when there is room; senders that wait for it are slowed. */
  BLOCK,
  /** The arriving message is dropped, and its append fails with the reason. */
  DROP_NEWEST,
  /** The oldest messages that no consumer has taken yet make room. */
  DROP_OLDEST
}
