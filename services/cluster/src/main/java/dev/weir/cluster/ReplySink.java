package dev.weir.cluster;

import java.nio.ByteBuffer;

/**
 * Takes what a replica has to say. Called by one thread at a time, under the group's lock: it must
 * not block. With {@link ThreadOptions#setReplies} it is a thread of its own without that lock: it
 * may block, and what it holds up waits in a queue, then with the group. What it throws is logged.
 */
public interface ReplySink {
  /**
   * The reply to a message that enough replicas hold now; in the order in which messages were
   * taken, except for those answered again.
   *
   * @param buffer valid during the call, absolute access only
   */
  void onReply(long clientId, long sequence, ByteBuffer buffer, int offset, int length);

  /**
   * The failed reply to a message that its handler rejected; otherwise as {@link #onReply}, which
   * gets an empty reply by default.
   *
   * @param buffer holds the reason in UTF-8
   */
  default void onRejected(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    onReply(clientId, sequence, buffer, offset, 0);
  }

  /** The replica has another role, or the same in another epoch. */
  default void onRole(Role role, long epoch) {}
}
