package dev.weir.queue;

/** Told once what became of an append. */
@FunctionalInterface
public interface Completion {
  /**
   * Called on the store's writer thread, or on the appending thread when the append is refused at
   * once. Must not block.
   *
   * @param failure null when the message is as durable as asked
   */
  void complete(QueueException failure);
}
