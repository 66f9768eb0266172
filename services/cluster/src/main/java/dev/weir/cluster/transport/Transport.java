package dev.weir.cluster.transport;

import dev.weir.cluster.GroupOptions;
import java.nio.ByteBuffer;

/**
 * Carries frames between the members of one group, which it knows by their index in {@link
 * GroupOptions#getMembers}. Frames between two members arrive in the order they were sent, each
 * once or not at all; when one is missing, the connection is reported as lost first. A frame sent
 * before a loss may be missing, one sent after it is not delivered before the loss is reported.
 */
public interface Transport extends AutoCloseable {

  /**
   * What a transport tells. Called by one thread at a time per member, never while it holds a lock.
   */
  interface Receiver {
    /**
     * A frame, from position to limit; valid during the call. Frames sent to the same member during
     * the call may travel as the answer to it.
     */
    void onFrame(int from, ByteBuffer frame);

    void onConnected(int member);

    /** The member may be alive or not. */
    void onLost(int member);

    /**
     * Nothing listens any more where the member, which was connected before, was reached: its
     * process is gone. Called after {@link #onLost}, once per loss.
     */
    void onRefused(int member);
  }

  /** Begins to listen, to look for the others and to connect. */
  void start(Receiver receiver);

  /**
   * Sends a frame; never blocks, any thread.
   *
   * @param frame from position to limit, which stay as they are; copied or sent before the return
   * @return false if the member is not connected, or does not read and so much waits for it already
   */
  boolean send(int member, ByteBuffer frame);

  /**
   * Gives up the connection to a member from which nothing comes, so that another is made; it is
   * reported as lost. Nothing if there is none, or where connections are not this transport's own.
   * Any thread.
   */
  void drop(int member);

  /**
   * Reads what has come and hands it to the receiver, on this thread; never blocks. Only where the
   * group spins: otherwise the transport has threads of its own, and this does nothing.
   *
   * @return frames handed over
   */
  int poll();

  /** Ends all threads and connections; blocks until no call to the receiver is under way. */
  @Override
  void close();
}
