package dev.weir.cluster.state;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What makes a message that a client sends again be applied once: the last sequence applied per
 * client, and the last replies, to be sent again. Part of the replicated state: depends on nothing
 * but the messages applied and their replies, in their order.
 *
 * <p>More clients than the maximum: the one of which no message was applied for longest is
 * forgotten, and would have to begin anew with sequence 1. One thread at a time. Allocates only for
 * new clients, and until the replies kept fit.
 */
public final class Sessions {
  /** Not yet applied and the client's next. */
  public static final int NEXT = 0;

  /** Applied; {@link #find} has the reply. */
  public static final int KNOWN = 1;

  /** Applied; the reply is not kept any more. Also what lies before sequence 1. */
  public static final int FORGOTTEN = 2;

  /** Beyond the next; of an unknown client: beyond 1. */
  static final int GAP = 3;

  private static final int FORMAT = 1;

  private final int replyWindow;
  private final int maxMessageBytes;
  private final int maxClients;
  private final LongMap<Session> sessions = new LongMap<>();

  /**
   * Head of the ring of sessions in the order of their last message: newest before, oldest after.
   */
  private final Session ends = new Session(0, new ReplyRing(1));

  /** The session used last: most calls come in groups for one client. */
  private Session current = ends;

  private int claimOffset;
  private ByteBuffer foundBuffer;
  private int foundOffset;
  private int foundLength;
  private boolean foundRejected;

  private static final class Session {
    private final long clientId;
    private final ReplyRing replies;
    private Session older = this;
    private Session newer = this;

    Session(long clientId, ReplyRing replies) {
      this.clientId = clientId;
      this.replies = replies;
    }
  }

  /**
   * @param replyWindow replies kept per client
   * @param maxMessageBytes of a reply
   * @param maxClients clients kept, at least 1
   */
  public Sessions(int replyWindow, int maxMessageBytes, int maxClients) {
    this.replyWindow = replyWindow;
    this.maxMessageBytes = maxMessageBytes;
    this.maxClients = maxClients;
  }

  int size() {
    return sessions.size();
  }

  /** How a sequence stands to what was applied: one of the constants. */
  public int check(long clientId, long sequence) {
    Session session = get(clientId);
    long next = session == null ? 1 : session.replies.next();
    if (sequence >= next) {
      return sequence == next ? NEXT : GAP;
    }
    return session != null && sequence >= session.replies.first() ? KNOWN : FORGOTTEN;
  }

  /**
   * Room for the reply to the client's next message, in one piece from {@link #claimOffset()} on;
   * {@link #commit} must follow. A second claim replaces the first and what was put there.
   *
   * @return the buffer, big-endian; position and limit are to be left alone
   * @throws IllegalArgumentException if the room is negative or more than a message may have
   */
  ByteBuffer claim(long clientId, int maxBytes) {
    if (maxBytes < 0 || maxBytes > maxMessageBytes) {
      throw new IllegalArgumentException(
          "maxBytes is " + maxBytes + ", allowed is 0 to " + maxMessageBytes);
    }
    ReplyRing replies = open(clientId).replies;
    claimOffset = replies.claim(maxBytes);
    return replies.buffer();
  }

  /** Where the room claimed last starts. */
  int claimOffset() {
    return claimOffset;
  }

  /**
   * Takes the client's next message as applied, and the first bytes of the claimed room as its
   * reply; an empty reply needs no claim.
   *
   * @throws IllegalStateException if the sequence is not the next
   * @throws IllegalArgumentException if more bytes than claimed
   */
  void commit(long clientId, long sequence, int bytes) {
    Session session = open(clientId);
    if (sequence != session.replies.next()) {
      throw new IllegalStateException(
          "client "
              + clientId
              + " is at sequence "
              + session.replies.next()
              + ", committed is "
              + sequence);
    }
    session.replies.commit(bytes);
    unlink(session);
    link(session);
  }

  /** Takes the client's next message as applied, and a reason (UTF-8) as its failed reply. */
  public void reject(long clientId, long sequence, ByteBuffer buffer, int at, int bytes) {
    ByteBuffer room = claim(clientId, bytes);
    room.put(claimOffset, buffer, at, bytes);
    commit(clientId, sequence, bytes);
    current.replies.markRejected();
  }

  /** Looks a reply up for {@link #buffer}, {@link #offset} and {@link #length}. */
  public boolean find(long clientId, long sequence) {
    if (check(clientId, sequence) != KNOWN) {
      return false;
    }
    ReplyRing replies = current.replies;
    foundBuffer = replies.buffer();
    foundOffset = replies.offset(sequence);
    foundLength = replies.length(sequence);
    foundRejected = replies.isRejected(sequence);
    return true;
  }

  /**
   * Holds the reply found; valid until the next claim or commit. Leave position and limit alone.
   */
  public ByteBuffer buffer() {
    return foundBuffer;
  }

  /** Where the reply found starts. */
  public int offset() {
    return foundOffset;
  }

  /** Bytes of the reply found. */
  public int length() {
    return foundLength;
  }

  /** Whether the reply found is the reason why the message was rejected. */
  public boolean isRejected() {
    return foundRejected;
  }

  public void save(DataOutput out) throws IOException {
    out.writeInt(FORMAT);
    out.writeInt(sessions.size());
    for (Session session = ends.newer; session != ends; session = session.newer) {
      out.writeLong(session.clientId);
      session.replies.save(out);
    }
  }

  /**
   * Replaces everything by what {@link #save} wrote, with as many clients and replies as these
   * sessions keep.
   *
   * @param in null for no clients
   * @throws IOException if something else is read
   */
  void restore(DataInput in) throws IOException {
    clear();
    if (in == null) {
      return;
    }
    int format = in.readInt();
    int clients = in.readInt();
    if (format != FORMAT || clients < 0) {
      throw new IOException(
          "sessions have format " + format + " with " + clients + " clients, known is " + FORMAT);
    }
    for (int i = 0; i < clients; i++) {
      open(in.readLong()).replies.restore(in, maxMessageBytes);
    }
  }

  private void clear() {
    sessions.clear();
    ends.older = ends;
    ends.newer = ends;
    current = ends;
  }

  private Session get(long clientId) {
    if (current.clientId == clientId && current != ends) {
      return current;
    }
    Session session = sessions.get(clientId);
    if (session != null) {
      current = session;
    }
    return session;
  }

  private Session open(long clientId) {
    Session session = get(clientId);
    if (session == null) {
      if (sessions.size() == maxClients) {
        unlink(sessions.remove(ends.newer.clientId));
      }
      session = new Session(clientId, new ReplyRing(replyWindow));
      sessions.put(clientId, session);
      link(session);
      current = session;
    }
    return session;
  }

  private void link(Session newest) {
    newest.older = ends.older;
    newest.newer = ends;
    ends.older.newer = newest;
    ends.older = newest;
  }

  private static void unlink(Session session) {
    session.older.newer = session.newer;
    session.newer.older = session.older;
  }
}
