package dev.weir.cluster.transport.hazelcast;

import com.hazelcast.internal.server.ServerConnection;
import dev.weir.cluster.transport.Peer;
import java.nio.ByteBuffer;

/**
 * The sending half of a link: numbers frames, and bounds the bytes that the other end has not
 * handled yet. Its lock is never held during a call to a receiver.
 *
 * <p>Sessions and connection are changed by the link's tasks only, which may therefore read them
 * without the lock.
 */
final class LinkSender {
  private final HazelcastWire wire;
  private final String group;
  private final int windowBytes;

  private LinkSession own;
  private volatile LinkSession theirs = LinkSession.NONE;

  /** Null while the link is not connected. */
  private ServerConnection connection;

  private long sentFrames;
  private long sentBytes;

  /** As far as the other end has reported that it handled what was sent. */
  private long confirmedBytes;

  /** As far as this end has reported {@link #handledBytes}. */
  private long reportedBytes;

  /** Received and handled in this session; written by the link's tasks. */
  private volatile long handledBytes;

  private volatile boolean closed;

  /**
   * @param windowBytes bytes of frames that may be on their way
   */
  LinkSender(HazelcastWire wire, String group, int windowBytes) {
    this.wire = wire;
    this.group = group;
    this.windowBytes = windowBytes;
    this.own = wire.newSession();
  }

  /** Sends a frame; false if the link is not connected or the window is full. Any thread. */
  synchronized boolean send(ByteBuffer frame) {
    int bytes = frame.remaining();
    long cost = bytes + FrameOperation.OVERHEAD_BYTES;
    if (connection == null || closed || sentBytes + cost - confirmedBytes > windowBytes) {
      return false;
    }
    byte[] copy = new byte[bytes];
    frame.get(frame.position(), copy);
    sentBytes += cost;
    boolean sent =
        wire.send(connection, operation(FrameOperation.Kind.FRAME).with(sentFrames++, copy));
    if (!sent) {
      wire.wake();
    }
    return sent;
  }

  private FrameOperation operation(FrameOperation.Kind kind) {
    return new FrameOperation(kind, group, wire.self(), own, theirs, handledBytes);
  }

  /** Takes the other end's report of what it has handled; any thread. */
  synchronized void confirm(FrameOperation report) {
    if (report.session().equals(theirs) && report.known().equals(own)) {
      confirmedBytes = Math.max(confirmedBytes, report.handledBytes());
    }
  }

  /** Sends a greeting to a member that is not connected. */
  synchronized void greet(Peer peer, byte[] agreement) {
    wire.send(peer, operation(FrameOperation.Kind.HELLO).with(0, agreement));
  }

  /** Sends a greeting back on the connection of one that was received; by tasks only. */
  void answer(ServerConnection over, byte[] agreement) {
    FrameOperation.Kind kind =
        connection == null ? FrameOperation.Kind.HELLO : FrameOperation.Kind.WELCOME;
    wire.send(over, operation(kind).with(0, agreement));
  }

  /** Whether the message names this end's current session; by tasks only. */
  boolean isKnownTo(FrameOperation message) {
    return message.known().equals(own);
  }

  /** The other end's session as far as it is known. */
  LinkSession theirs() {
    return theirs;
  }

  synchronized void setTheirs(LinkSession session) {
    theirs = session;
  }

  /** The connection in use, or null; by tasks only. */
  ServerConnection connection() {
    return connection;
  }

  synchronized void connect(ServerConnection over) {
    handledBytes = 0;
    reportedBytes = 0;
    sentFrames = 0;
    sentBytes = 0;
    confirmedBytes = 0;
    connection = over;
  }

  /** Ends the session; a greeting from now on begins another one. */
  synchronized void disconnect() {
    connection = null;
    own = wire.newSession();
  }

  /** Counts a received frame as handled; by tasks only. */
  void addHandled(int frameBytes) {
    handledBytes += frameBytes + FrameOperation.OVERHEAD_BYTES;
  }

  /** Reports what was handled once it fills a quarter of the other end's window. */
  synchronized void reportIfDue() {
    if (connection != null && handledBytes - reportedBytes > windowBytes / 4) {
      report();
    }
  }

  /**
   * Reports whatever was handled since the last report.
   *
   * @return the connection in use, or null
   */
  synchronized ServerConnection reportAll() {
    if (connection != null && handledBytes != reportedBytes) {
      report();
    }
    return connection;
  }

  private void report() {
    reportedBytes = handledBytes;
    wire.send(connection, operation(FrameOperation.Kind.HANDLED));
  }

  /** Says goodbye and sends nothing more. */
  synchronized void close() {
    if (connection != null) {
      wire.send(connection, operation(FrameOperation.Kind.BYE));
    }
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }
}
