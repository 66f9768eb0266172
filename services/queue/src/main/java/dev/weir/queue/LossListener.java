package dev.weir.queue;

/** Callback for the attachments of accepted messages that will not be delivered. */
@FunctionalInterface
public interface LossListener {
  /**
   * Called once for each such attachment, on any thread. Must not block.
   *
   * @param attachment the object given to {@link DurableQueue#offer}, not null
   * @param reason {@code DROPPED}, {@code EXPIRED}, {@code PURGED}, {@code CORRUPT}, {@code
   *     UNWRITABLE}, {@code STORE_FAILED} or {@code CLOSED}
   */
  void lost(Object attachment, QueueException.Reason reason);
}
