package dev.weir.cluster.replica;

import dev.weir.cluster.log.Batch;
import dev.weir.cluster.state.Sessions;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Which replies clients have, until a batch says it to all replicas. If too many clients say so at
 * once, what some say is lost; each says it again with its next replies.
 */
final class ReplyReleases {
  private static final int MOST = 256;
  private static final int FEW = 4;

  private long[] clientIds = new long[FEW];
  private long[] befores = new long[FEW];
  private int count;

  /** A client has the replies to its messages before one. */
  void add(long clientId, long before) {
    int at = 0;
    while (at < count && clientIds[at] != clientId) {
      at++;
    }
    if (at < count) {
      befores[at] = Math.max(befores[at], before);
    } else if (at < MOST) {
      if (at == clientIds.length) {
        clientIds = Arrays.copyOf(clientIds, 2 * at);
        befores = Arrays.copyOf(befores, 2 * at);
      }
      clientIds[at] = clientId;
      befores[at] = before;
      count++;
    }
  }

  /**
   * Moves as many as fit to the end of a batch.
   *
   * @param sessions drop these replies
   */
  void moveTo(ByteBuffer buffer, int at, Sessions sessions) {
    while (count > 0 && at + Batch.bytes(buffer, at) + Batch.RELEASE_BYTES <= buffer.capacity()) {
      count--;
      Batch.addRelease(buffer, at, clientIds[count], befores[count]);
      sessions.release(clientIds[count], befores[count]);
    }
  }

  void clear() {
    count = 0;
  }
}
