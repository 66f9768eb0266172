package dev.weir.cluster;

import java.nio.ByteBuffer;

/**
 * Takes the reply to a message: claim room, encode the reply into the room, commit. The reply is
 * sent when the message is committed. Without a call of {@link #commit} the reply is empty.
 */
public interface Outbound {
  /**
   * Claims room for the reply.
   *
   * @param maxBytes at most the group's {@code maxMessageBytes}
   * @return a buffer shared with other data; the room starts at {@link #offset()}. Use absolute
   *     access, and leave position and limit alone
   * @throws IllegalArgumentException if {@code maxBytes} is negative or too large
   */
  ByteBuffer claim(int maxBytes);

  /** Where the claimed room starts. */
  int offset();

  /**
   * Ends the reply, once per message.
   *
   * @param bytes length of the reply, at most the claimed bytes
   * @throws IllegalArgumentException if more than was claimed
   */
  void commit(int bytes);
}
