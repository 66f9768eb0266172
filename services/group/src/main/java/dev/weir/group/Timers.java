package dev.weir.group;

import io.vertx.core.buffer.Buffer;

/**
 * Timers of a group, a part of its state: they are set and cancelled together with all else that a
 * message changes, and survive restarts and failovers. A timer that is due is an entry of the log:
 * {@link GroupProcessor#onTimer} is applied once for it.
 */
public interface Timers {
  /**
   * Sets a timer, in place of one of the same name.
   *
   * @param name without halves of surrogate pairs
   * @param dueMs when it fires, ms since 1970 as of {@link GroupMessage#timestampMs}; never before
   *     that, later if there is no primary
   * @param body for the processor; null for none
   */
  void set(String name, long dueMs, Buffer body);

  /** Removes a timer if there is one. */
  void cancel(String name);
}
