package dev.weir.cluster.replica;

import dev.weir.cluster.ReplySink;
import dev.weir.cluster.Role;
import java.nio.ByteBuffer;

/** What a group gives replies to, under its lock: a {@link ReplySink}, or a queue before one. */
public interface ReplyOutlet extends AutoCloseable {
  /** Takes a reply; false if it has no room at the moment. */
  boolean offer(long clientId, long sequence, ByteBuffer buffer, int offset, int length);

  void onRole(Role role, long epoch);

  /** Whether there is room again after it had none; any thread. */
  default boolean hasNews() {
    return false;
  }

  /** The news is known. */
  default void collect() {}

  default void start() {}

  @Override
  default void close() {}

  /** Calls a sink at once. */
  static ReplyOutlet to(ReplySink sink) {
    return new Direct(sink);
  }

  /** A sink that is called at once, and so has always room. */
  record Direct(ReplySink sink) implements ReplyOutlet {
    @Override
    public boolean offer(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
      sink.onReply(clientId, sequence, buffer, offset, length);
      return true;
    }

    @Override
    public void onRole(Role role, long epoch) {
      sink.onRole(role, epoch);
    }
  }
}
