package dev.weir.cluster;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A processor whose truth is the log of its messages: each replica handles every message, in the
 * same order, and so comes to the same state.
 *
 * <p><b>Handlers must be deterministic.</b> State and replies may depend on nothing but the
 * messages handled so far and what {@link Inbound} says: not on clocks, random numbers, the
 * environment, other threads, or the iteration order of identity-hashed collections. Nothing
 * outside the processor may be changed by a handler: after a failover it runs again.
 *
 * <p>All methods are called by one thread at a time, with the effects of earlier calls visible; not
 * always by the same thread. They must not block.
 */
public interface EventSourcedProcessor {
  /**
   * Handles one message.
   *
   * <p>A message whose handler throws costs one failed reply. The log records the message as
   * rejected, and no replica handles it again. Check a message first, and throw {@link
   * RejectedMessageException} before anything is changed: that costs nothing more. After any other
   * exception or error the state may be half changed, so this member rebuilds the state from the
   * last snapshot and the log, and the group waits for it or goes on with a backup.
   *
   * <p>A backup handles only messages that its primary handled. A handler that throws on a backup
   * is not deterministic, or runs other code there: the backup stops.
   *
   * @param message valid during the call only
   * @param out takes at most one reply; valid during the call only
   */
  void onMessage(Inbound message, Outbound out);

  /**
   * The version of the application that this code is, 1 to 1,000,000; always the same. While a
   * member states a lower one, the group stays at that, and {@link Inbound#version} says so. Once
   * all members that hold messages state a higher one, new messages have it, and a member that
   * states less is not let in any more. So code of a version must handle messages of all versions
   * up to its own. docs/groups.md has an example.
   */
  default int version() {
    return 1;
  }

  /**
   * Returns a view of the state as it is now, which another thread writes as a snapshot while
   * messages are handled. Null, the default, if the processor has none: {@link #save} is called
   * then, and the group handles nothing until the state is copied in memory. That takes about 1 ms
   * for a MB, and as much memory again; members copy at different times. So a processor with a
   * state above some 10 MB should keep it in a {@link ViewableState}, or in a persistent or
   * copy-on-write structure of its own, and return a view. {@link GroupStats#snapshotPauseNs} has
   * the longest stop; the first one above 20 ms is logged.
   */
  default StateView view() {
    return null;
  }

  /**
   * Writes the whole state.
   *
   * @throws IOException if {@code out} does
   */
  void save(DataOutput out) throws IOException;

  /**
   * Replaces the whole state by one that {@link #save} wrote, maybe on another replica; by the
   * initial state if {@code in} is null.
   *
   * @throws IOException if {@code in} does or holds something else
   */
  void restore(DataInput in) throws IOException;
}
