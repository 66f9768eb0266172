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

  /**
   * In place of {@code complete(null)}, where it is known, the place of the message: what {@link
   * Delivery#sequence()} will say. It is known of every message without an {@linkplain
   * MessageOptions#id() id} that asked for durability.
   *
   * @param sequence more than 0
   */
  default void complete(long sequence) {
    complete(null);
  }
}
