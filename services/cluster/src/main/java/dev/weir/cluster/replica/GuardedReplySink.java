package dev.weir.cluster.replica;

import dev.weir.cluster.ReplySink;
import dev.weir.cluster.Role;
import java.nio.ByteBuffer;
import org.slf4j.LoggerFactory;

/**
 * Calls the reply sink and the role listener of a user, and logs what they throw: the replica must
 * go on.
 */
public final class GuardedReplySink implements ReplySink {
  private final ReplySink sink;
  private final Role.Listener roles;
  private final FailureLog failures;

  /**
   * @param group for the log
   */
  public GuardedReplySink(ReplySink sink, Role.Listener roles, String group) {
    this.sink = sink;
    this.roles = roles;
    this.failures = new FailureLog(LoggerFactory.getLogger(GuardedReplySink.class), group);
  }

  @Override
  public void onReply(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    try {
      sink.onReply(clientId, sequence, buffer, offset, length);
    } catch (Throwable e) {
      failed("reply", clientId, sequence, e);
    }
  }

  @Override
  public void onRejected(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    try {
      sink.onRejected(clientId, sequence, buffer, offset, length);
    } catch (Throwable e) {
      failed("rejection", clientId, sequence, e);
    }
  }

  private void failed(String what, long clientId, long sequence, Throwable cause) {
    failures.add(
        "the reply sink threw at the "
            + what
            + " to request "
            + sequence
            + " of client "
            + clientId,
        cause);
  }

  @Override
  public void onRole(Role role, long epoch) {
    tell("reply sink", sink::onRole, role, epoch);
    tell("role listener", roles, role, epoch);
  }

  private void tell(String who, Role.Listener listener, Role role, long epoch) {
    try {
      listener.onRole(role, epoch);
    } catch (Throwable e) {
      failures.add("the " + who + " threw at role " + role + " in epoch " + epoch, e);
    }
  }
}
