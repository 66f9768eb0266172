package dev.weir.queue;

/** Receives the messages of a queue in order. */
public interface MessageVisitor {
  /**
   * Receives a message.
   *
   * @param message not null
   * @return false to receive no more
   */
  boolean message(StoredMessage message);

  /**
   * Receives the place of messages that cannot be read. The messages after them follow.
   *
   * @param packet not null
   */
  void damaged(DamagedPacket packet);
}
