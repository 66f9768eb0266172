package dev.weir.cluster;

import java.nio.ByteBuffer;

/**
 * Takes the reply to a message: claim room, encode into it, commit. The reply is sent when the
 * message is held by as many replicas as the group asks for. Without a commit the reply is empty.
 */
public interface Outbound {
  /**
   * Room for the reply.
   *
   * @param maxBytes at most the group's {@code maxMessageBytes}
   * @return a buffer that holds other things too; the room starts at {@link #offset()}. Use
   *     absolute access, leave position and limit alone
   * @throws IllegalArgumentException if {@code maxBytes} is negative or too large
   */
  ByteBuffer claim(int maxBytes);

  /** Where the claimed room starts. */
  int offset();

  /**
   * Ends the reply, once per message.
   *
   * @param bytes how many of the claimed bytes it has
   * @throws IllegalArgumentException if more than was claimed
   */
  void commit(int bytes);
}
