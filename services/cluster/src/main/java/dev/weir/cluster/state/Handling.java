package dev.weir.cluster.state;

import dev.weir.cluster.StateView;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What a kind of processor makes of a message on the primary, and of an entry of the log. */
public interface Handling {
  /**
   * Handles a message on the primary: changes the state, leaves the reply in the sessions, and
   * writes what others need to come to the same.
   *
   * @param entry where the body of the log entry is to be written, from {@code at} on
   * @return its bytes
   * @throws RuntimeException or Error whatever the handler throws; {@link #rollBack} must follow
   */
  int accept(Request request, long timeMs, ByteBuffer entry, int at);

  /**
   * Undoes what {@link #accept} changed before it threw. The sessions are unchanged.
   *
   * @return false if that is unknown: the state must be rebuilt from the log
   */
  boolean rollBack(Throwable cause);

  /** Room that {@link #accept} may need. */
  int maxEntryBytes();

  /**
   * Brings what an entry of the log stands for into state and sessions.
   *
   * @param message offset of the entry in the batch
   */
  void replay(ByteBuffer batch, int message, long timeMs);

  /** Whether {@link #view} may be called now. */
  default boolean mayView() {
    return true;
  }

  /** The state as it is now. */
  StateView view() throws IOException;

  /** The initial state if {@code in} is null. */
  void restore(DataInput in) throws IOException;
}
