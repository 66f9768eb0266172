package dev.weir.queue;

/** Callback for the result of one append; called exactly once. */
@FunctionalInterface
public interface Completion {
  /**
   * Called on the store's writer thread, or on the appending thread if the append is refused or
   * accepted at once. Must not block.
   *
   * @param failure null if the message is as durable as asked, else the reason
   */
  void complete(QueueException failure);

  /**
   * Called instead of {@code complete(null)} if the sequence of the message is known. It is known
   * for every message that asked for durability and has no {@linkplain MessageOptions#id() id}.
   *
   * @param sequence {@link Delivery#sequence()} of the message, 1 or more
   */
  default void complete(long sequence) {
    complete(null);
  }
}
