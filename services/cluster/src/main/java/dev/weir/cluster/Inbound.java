package dev.weir.cluster;

import java.nio.ByteBuffer;

/** A message as its handler sees it. */
public interface Inbound {
  /** Who sent it. */
  long clientId();

  /** Its number among the messages of its client, from 1 on, without gaps. */
  long sequence();

  /**
   * When the primary accepted it, ms since 1970 by the primary's clock; the same on every replica.
   */
  long timestampMs();

  /**
   * The buffer that holds the body from {@link #offset()} on. It holds other things too and is
   * shared: use absolute access, change neither bytes nor position nor limit.
   */
  ByteBuffer buffer();

  /** Where the body starts. */
  int offset();

  /** Bytes of the body. */
  int length();
}
