package dev.weir.bench.cluster.injection;

import java.nio.ByteBuffer;

/** The messages that are sent, and the check of their replies. For one thread. */
public interface Messages {
  /** The most bytes of a message or a reply. */
  int maxBytes();

  /**
   * Writes the message with this number by absolute access.
   *
   * @param number from 1 on
   * @return its length in bytes
   */
  int encode(long number, ByteBuffer buffer, int offset);

  /** Whether the bytes are the reply to the message with this number. */
  boolean isReply(long number, ByteBuffer buffer, int offset, int length);
}
