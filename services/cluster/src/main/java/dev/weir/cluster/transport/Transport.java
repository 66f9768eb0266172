package dev.weir.cluster.transport;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.protocol.Membership;
import java.nio.ByteBuffer;

/**
 * Carries frames between the members of one group. A member is named by its slot in the {@link
 * Membership}, at first its index in {@link GroupOptions#getMembers}.
 *
 * <p>Frames between two members arrive in the order in which they were sent, each once or not at
 * all. If a frame is missing, the connection is reported as lost before a later frame is delivered.
 * A frame that is sent after a loss is not delivered before the other side has reported that loss.
 */
public interface Transport extends AutoCloseable {

  /**
   * Receives frames and changes of connections. For each member it is called by one thread at a
   * time, which holds no lock of the transport.
   */
  interface Receiver {
    /** Handles a frame, from position to limit; the buffer is valid during the call only. */
    void onFrame(int from, ByteBuffer frame);

    void onConnected(int member);

    /** The connection is lost; the member may be alive or not. */
    void onLost(int member);

    /**
     * The process of the member is gone: its address refuses connections. Called after {@link
     * #onLost}, at most once for each loss.
     */
    void onRefused(int member);
  }

  /**
   * Sets the members; those of the options before. The connection to a member whose slot has
   * another member now is closed; a frame that was sent on it before arrives, if the connection
   * takes it at once. Calls no receiver; any thread.
   */
  void members(Membership members);

  /** Begins to accept connections and to connect to the other members. */
  void start(Receiver receiver);

  /**
   * Sends a frame. Any thread; never blocks.
   *
   * @param frame from position to limit, which stay unchanged; copied or sent before the return
   * @return false if the member is not connected, or the queue of frames to it is full
   */
  boolean send(int member, ByteBuffer frame);

  /**
   * Closes the connection to a member that is silent, so that a new one is made; it is reported as
   * lost. Does nothing if there is no connection, or if the transport does not own its connections.
   * Any thread.
   */
  void drop(int member);

  /**
   * Reads frames that have arrived and hands them to the receiver on this thread; never blocks.
   * Does nothing if the transport has threads of its own, as it has unless the group spins.
   *
   * @return the number of frames
   */
  int poll();

  /** Ends all threads and connections; blocks until no call to the receiver runs. */
  @Override
  void close();
}
