package dev.weir.queue;

/** Told about accepted messages that will not be delivered. */
@FunctionalInterface
public interface LossListener {
  /**
   * Called on any thread; must not block.
   *
   * @param attachment what was attached to the message, or null
   * @param reason {@code DROPPED}, {@code CORRUPT} or {@code CLOSED}
   */
  void lost(Object attachment, QueueException.Reason reason);
}
