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
   * Handles one message. An exception is a defect: the replica stops, since it no longer knows its
   * state.
   *
   * @param message valid during the call only
   * @param out takes at most one reply; valid during the call only
   */
  void onMessage(Inbound message, Outbound out);

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
