package dev.weir.cluster;

import java.nio.ByteBuffer;

/** A message as the processor sees it; valid during the call of the processor. */
public interface Inbound {
  /** The client that sent the message. */
  long clientId();

  /** Number of the message among those of its client, from 1 on, without gaps. */
  long sequence();

  /**
   * When the primary accepted the message, ms since 1970 by its clock; the same on every replica.
   * Never before that of an earlier message: after a primary whose clock was ahead, time goes on
   * from its last message at nine tenths of its speed until the clock has come up to it.
   */
  long timestampMs();

  /**
   * The version of the application in which the message has to be handled, as the log has it: the
   * same on every replica, also when the log is read again. At most the version that the processor
   * states; less while a member states less. It never becomes smaller.
   */
  default int version() {
    return 1;
  }

  /**
   * The buffer that holds the body from {@link #offset()} on. The buffer is shared with other data:
   * use absolute access, and change neither bytes nor position nor limit.
   */
  ByteBuffer buffer();

  /** Where the body starts. */
  int offset();

  /** Bytes of the body. */
  int length();
}
