package dev.weir.flow;

/**
 * Told how long the messages of one service waited and were handled. Called on the service's event
 * loop, one call at a time; it must not block.
 */
@FunctionalInterface
public interface ServiceObserver {
  /**
   * A message was handled.
   *
   * @param waitedNs from its arrival until its handler was called, in ns, 0 or more; in whole ms
   *     for a message from the disk tier, whose retries and restarts count too
   * @param handledNs from there until its handler's future was complete, in ns, 0 or more
   * @param succeeded whether the handler did
   * @param messages how many messages this one stands for: 1 while there are few; when there are
   *     many only some are timed
   */
  void handled(long waitedNs, long handledNs, boolean succeeded, int messages);
}
