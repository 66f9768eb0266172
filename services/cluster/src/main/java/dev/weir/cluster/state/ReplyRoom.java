package dev.weir.cluster.state;

import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import java.nio.ByteBuffer;

/** Lets a handler encode its reply right where the sessions keep it. */
final class ReplyRoom implements Outbound {
  private final Sessions sessions;
  private long clientId;
  private long sequence;
  private int claimed = -1;
  private boolean committed;

  ReplyRoom(Sessions sessions) {
    this.sessions = sessions;
  }

  void begin(Inbound message) {
    clientId = message.clientId();
    sequence = message.sequence();
    claimed = -1;
    committed = false;
  }

  /** A message without a reply is answered by an empty one. */
  void end() {
    if (!committed) {
      claim(0);
      commit(0);
    }
  }

  @Override
  public ByteBuffer claim(int maxBytes) {
    if (committed) {
      throw new IllegalStateException("the reply is committed already");
    }
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
    if (committed) {
      throw new IllegalStateException("the reply is committed already");
    }
    sessions.commit(clientId, sequence, bytes);
    committed = true;
  }
}
