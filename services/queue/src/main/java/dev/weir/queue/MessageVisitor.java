package dev.weir.queue;

/** Is shown the messages of a queue in order. */
public interface MessageVisitor {
  /**
   * @param message not null
   * @return false to see no more
   */
  boolean message(StoredMessage message);

  /**
   * In the place of messages that cannot be read; what follows is shown all the same.
   *
   * @param packet not null
   */
  void damaged(DamagedPacket packet);
}
