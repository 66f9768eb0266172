package dev.weir.cluster;

/**
 * Produces messages for a group when the group asks for them.
 *
 * <p>The group calls {@link #poll} on its own thread, or on the thread that calls {@link
 * ProcessorGroup#poll}. The group's lock is held during the call, as during a call of {@link
 * ReplySink}: the two never run at the same time. What it throws is logged.
 */
@FunctionalInterface
public interface MessageSource {
  /**
   * Offers the waiting messages to the group, at most about one batch; must not block.
   *
   * @param group takes the messages
   * @return number of messages offered
   */
  int poll(MessageSink group);
}
