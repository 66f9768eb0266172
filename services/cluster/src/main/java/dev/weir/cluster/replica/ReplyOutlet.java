package dev.weir.cluster.replica;

import dev.weir.cluster.ReplySink;
import dev.weir.cluster.Role;
import java.nio.ByteBuffer;

/** Takes the replies of a group, under its lock: a {@link ReplySink}, or a queue before it. */
public interface ReplyOutlet extends AutoCloseable {
  /**
   * Takes a reply; returns false if there is no room at the moment.
   *
   * @param rejected whether the reply is the reason of a rejection
   */
  boolean offer(
      boolean rejected, long clientId, long sequence, ByteBuffer buffer, int offset, int length);

  void onRole(Role role, long epoch);

  /** Whether there is room again after a refused reply; any thread. */
  default boolean hasNews() {
    return false;
  }

  /** Resets {@link #hasNews}. */
  default void collect() {}

  default void start() {}

  @Override
  default void close() {}

  /** An outlet that calls a sink at once. */
  static ReplyOutlet to(ReplySink sink) {
    return new Direct(sink);
  }

  /** Calls a sink at once, so there is always room. */
  record Direct(ReplySink sink) implements ReplyOutlet {
    @Override
    public boolean offer(
        boolean rejected, long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
      if (rejected) {
        sink.onRejected(clientId, sequence, buffer, offset, length);
      } else {
        sink.onReply(clientId, sequence, buffer, offset, length);
      }
      return true;
    }

    @Override
    public void onRole(Role role, long epoch) {
      sink.onRole(role, epoch);
    }
  }
}
