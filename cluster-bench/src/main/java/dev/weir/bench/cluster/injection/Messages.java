package dev.weir.bench.cluster.injection;

import java.nio.ByteBuffer;

/** What is sent, and how a reply to it is known to be right. For one thread. */
public interface Messages {
  /** Bytes in a message or a reply at most. */
  int maxBytes();

  /**
   * Writes the message with this number by absolute access.
   *
   * @param number from 1 on
   * @return its bytes
   */
  int encode(long number, ByteBuffer buffer, int offset);

  /** Whether the bytes are the reply to the message with this number. */
  boolean isReply(long number, ByteBuffer buffer, int offset, int length);
}
