package dev.weir.group.duty;

import dev.weir.cluster.ReplySink;
import dev.weir.cluster.Role;
import java.nio.ByteBuffer;

/** A reply sink that also tells of changes of role. */
public final class RoleListener implements ReplySink {
  private final ReplySink replies;
  private final Runnable listener;

  /**
   * @param listener must not block
   */
  public RoleListener(ReplySink replies, Runnable listener) {
    this.replies = replies;
    this.listener = listener;
  }

  @Override
  public void onReply(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    replies.onReply(clientId, sequence, buffer, offset, length);
  }

  @Override
  public void onRejected(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    replies.onRejected(clientId, sequence, buffer, offset, length);
  }

  @Override
  public void onRole(Role role, long epoch) {
    replies.onRole(role, epoch);
    listener.run();
  }
}
