package dev.weir.cluster.state;

import dev.weir.cluster.State;
import dev.weir.cluster.StateView;
import dev.weir.cluster.log.Spool;
import dev.weir.cluster.log.TransactionLog;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Handles messages on the primary and replays log entries, for one kind of processor. */
public interface Handling {
  /**
   * Handles a message on the primary: changes the state, adds the reply to the sessions, and writes
   * the log entry from which other replicas reach the same state.
   *
   * @param entry where the body of the log entry is to be written, from {@code at} on
   * @return its bytes
   * @throws RuntimeException or Error whatever the handler throws; {@link #rollBack} must follow
   */
  int accept(Request request, long timeMs, ByteBuffer entry, int at);

  /**
   * Undoes the changes of a call of {@link #accept} that threw. The sessions are unchanged.
   *
   * @return false if the changes are unknown, so that the state must be rebuilt from the log
   */
  boolean rollBack(Throwable cause);

  /** The most bytes that {@link #accept} may write. */
  int maxEntryBytes();

  /**
   * Applies a log entry to the state and the sessions.
   *
   * @param message offset of the entry in the batch
   * @param version of the application, in which the message was handled
   */
  void replay(ByteBuffer batch, int message, long timeMs, int version);

  /** The version of the application that the processor states. */
  int version();

  /** The state for readers, which refuses changes; null if the processor has its own. */
  default State readable() {
    return null;
  }

  /** Whether the state is on the disk of the log, so that it changes with it. */
  default boolean isStored() {
    return false;
  }

  /** Takes a snapshot of another replica, for {@link History#replaceBy}. */
  default Spool arrival(TransactionLog log) {
    return log.spool();
  }

  /** Lets time pass. */
  default void tick() {}

  /** The state as it is now. */
  StateView view() throws IOException;

  /** The initial state if {@code in} is null. */
  void restore(DataInput in) throws IOException;
}
