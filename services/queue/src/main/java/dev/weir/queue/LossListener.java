package dev.weir.queue;

/** Told about accepted messages that will not be delivered. */
@FunctionalInterface
public interface LossListener {
  /**
   * Called on any thread, once for each attachment that will not be delivered; must not block.
   *
   * @param attachment what was attached to the message, not null
   * @param reason {@code DROPPED}, {@code EXPIRED}, {@code PURGED}, {@code CORRUPT}, {@code
   *     UNWRITABLE}, {@code STORE_FAILED} or {@code CLOSED}
   */
  void lost(Object attachment, QueueException.Reason reason);
}
