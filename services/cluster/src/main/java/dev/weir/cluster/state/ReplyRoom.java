package dev.weir.cluster.state;

import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import java.nio.ByteBuffer;

/**
 * Lets a handler encode its reply in place, in the memory of the sessions. The sessions change only
 * after the handler returns, so a handler that throws leaves no trace.
 */
final class ReplyRoom implements Outbound {
  private final Sessions sessions;
  private long clientId;
  private long sequence;

  /** Bytes of the claimed room; -1 before a claim. */
  private int claimed = -1;

  /** Bytes of the reply; -1 until the handler commits it. */
  private int committed = -1;

  ReplyRoom(Sessions sessions) {
    this.sessions = sessions;
  }

  void begin(Inbound message) {
    clientId = message.clientId();
    sequence = message.sequence();
    claimed = -1;
    committed = -1;
  }

  /** Records the message as applied. A message without a reply gets an empty one. */
  void end() {
    if (claimed < 0) {
      claim(0);
    }
    sessions.commit(clientId, sequence, Math.max(0, committed));
  }

  @Override
  public ByteBuffer claim(int maxBytes) {
    checkOpen();
    ByteBuffer buffer = sessions.claim(clientId, maxBytes);
    claimed = maxBytes;
    return buffer;
  }

  @Override
  public int offset() {
    return sessions.claimOffset();
  }

  @Override
  public void commit(int bytes) {
    if (bytes < 0 || bytes > claimed) {
      throw new IllegalArgumentException(
          "bytes is " + bytes + ", allowed is 0 to the " + Math.max(0, claimed) + " claimed");
    }
    checkOpen();
    committed = bytes;
  }

  private void checkOpen() {
    if (committed >= 0) {
      throw new IllegalStateException("the reply is committed already");
    }
  }
}
