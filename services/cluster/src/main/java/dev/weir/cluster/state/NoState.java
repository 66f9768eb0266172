package dev.weir.cluster.state;

import dev.weir.cluster.StateView;
import java.io.DataInput;
import java.nio.ByteBuffer;

/** The handling of a witness, which gets no messages and has no state. */
public final class NoState implements Handling {
  private static final String NO_MESSAGES = "a witness holds no messages";

  @Override
  public int accept(Request request, long timeMs, ByteBuffer entry, int at) {
    throw new IllegalStateException(NO_MESSAGES);
  }

  @Override
  public boolean rollBack(Throwable cause) {
    return true;
  }

  @Override
  public int maxEntryBytes() {
    return 0;
  }

  @Override
  public void replay(ByteBuffer batch, int message, long timeMs, int version) {
    throw new IllegalStateException(NO_MESSAGES);
  }

  /** Nobody counts on it: a witness is given no messages. */
  @Override
  public int version() {
    return 1;
  }

  @Override
  public StateView view() {
    throw new IllegalStateException(NO_MESSAGES);
  }

  /** Does nothing: there is no state. */
  @Override
  public void restore(DataInput in) {}
}
