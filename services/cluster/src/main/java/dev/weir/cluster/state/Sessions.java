package dev.weir.cluster.state;

import dev.weir.cluster.log.Batch;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Ensures that a message which a client sends again is applied once: keeps the last applied
 * sequence and the last replies of each client, but for those of which a batch says that the client
 * has them. Part of the replicated state: depends on nothing but the batches applied and the
 * replies to their messages.
 *
 * <p>A client of which no message was applied for some time expires: its replies are dropped, and
 * its id is kept, so that no message of that client is taken for the first of a new one. As many
 * ids of expired clients are kept as clients are allowed; the oldest go first. A client beyond the
 * maximum is refused; once it is handled all the same, the client without a message for the longest
 * time expires. One thread at a time. Allocates only for new clients, until the replies kept fit,
 * and for the copies after a view.
 */
public final class Sessions {
  /** Not yet applied and the client's next. */
  public static final int NEXT = 0;

  /** Applied; {@link #find} has the reply. */
  public static final int KNOWN = 1;

  /** Applied, but the reply is no longer kept; also any sequence before 1. */
  public static final int FORGOTTEN = 2;

  /** Later than the next sequence; for an unknown client, later than 1. */
  static final int GAP = 3;

  /** The client is known to have expired. */
  public static final int EXPIRED = 4;

  /** The client is new, and there are as many as allowed. */
  public static final int FULL = 5;

  /**
   * A pause between two batches counts as at most this part of the expiry, because the group may
   * have been down.
   */
  private static final int PAUSES_PER_EXPIRY = 10;

  /** A client makes room when idle for this part of the expiry: its id is kept for a whole one. */
  private static final int IDLE_PER_EXPIRY = 2;

  private final int replyWindow;
  private final int maxMessageBytes;
  private final int maxClients;
  private final long expiryMs;
  private final LongMap<Session> sessions = new LongMap<>();
  private final ReplyRing.Memory memory = new ReplyRing.Memory();

  /**
   * Head of the ring of sessions in the order of their last message: newest before, oldest after.
   */
  private final Session ends = new Session(0, null);

  /** Head of the ring of expired clients: expired last before, expired first after. */
  private final Session expiredEnds = new Session(0, null);

  private int expired;

  /** Time that has passed while the group handled messages, ms. */
  private long clockMs;

  /** Time of the last batch, ms since 1970; 0 before the first. */
  private long batchMs;

  /** The session used last: most calls come in groups for one client. */
  private Session current = ends;

  private int claimOffset;
  private ByteBuffer foundBuffer;
  private int foundOffset;
  private int foundLength;
  private boolean foundRejected;

  /**
   * @param replyWindow replies kept per client
   * @param maxMessageBytes of a reply
   * @param maxClients clients kept, at least 1
   * @param expiryMs time without a message after which a client expires
   */
  public Sessions(int replyWindow, int maxMessageBytes, int maxClients, long expiryMs) {
    this.replyWindow = replyWindow;
    this.maxMessageBytes = maxMessageBytes;
    this.maxClients = maxClients;
    this.expiryMs = expiryMs;
  }

  /** Number of clients that have not expired. */
  public int size() {
    return sessions.size() - expired;
  }

  /**
   * Advances the time to that of an applied batch, the same on all replicas, and expires clients
   * without a recent message. Pauses of the group count little, so a group that was down does not
   * forget the clients that wait for it.
   *
   * @param timeMs time of the batch, ms since 1970
   */
  public void advance(long timeMs) {
    if (batchMs > 0) {
      clockMs += Math.max(0, Math.min(timeMs - batchMs, expiryMs / PAUSES_PER_EXPIRY));
    }
    batchMs = timeMs;
    while (ends.newer != ends && clockMs - ends.newer.lastMs >= expiryMs) {
      expire(ends.newer);
    }
  }

  /** Time of the last batch, ms since 1970; 0 before the first. */
  long timeMs() {
    return batchMs;
  }

  private void expire(Session session) {
    session.unlink();
    session.replies.drop();
    session.replies = null;
    foundBuffer = null;
    session.linkBefore(expiredEnds);
    expired++;
    if (expired > maxClients) {
      forget(expiredEnds.newer);
    }
    current = ends;
  }

  private void forget(Session session) {
    session.unlink();
    sessions.remove(session.clientId);
    expired--;
  }

  /** Compares a sequence with the client's applied ones; returns one of the constants. */
  public int check(long clientId, long sequence) {
    Session session = get(clientId);
    if (session == null) {
      return checkNew(sequence);
    }
    if (session.replies == null) {
      return EXPIRED;
    }
    long next = session.replies.next();
    if (sequence >= next) {
      return sequence == next ? NEXT : GAP;
    }
    return sequence >= session.replies.first() ? KNOWN : FORGOTTEN;
  }

  /**
   * Whether the {@link #oldest} client may make room for a new one.
   *
   * @param moreMs time since the last batch in which the group could have handled messages
   */
  public boolean hasIdle(long moreMs) {
    return clockMs - ends.newer.lastMs + moreMs >= expiryMs / IDLE_PER_EXPIRY;
  }

  /** The client without a message for the longest time, of at least one. */
  public long oldest() {
    return ends.newer.clientId;
  }

  private int checkNew(long sequence) {
    if (sequence != 1) {
      return sequence < 1 ? FORGOTTEN : GAP;
    }
    return size() < maxClients ? NEXT : FULL;
  }

  /**
   * Claims contiguous room for the reply to the client's next message, from {@link #claimOffset()}
   * on; {@link #commit} must follow. A second claim replaces the first with its contents.
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
   * Records the client's next message as applied, with the first bytes of the claimed room as its
   * reply; an empty reply needs no claim. A new client may begin with any sequence, because the log
   * may have been written with other limits.
   *
   * @throws IllegalStateException if the sequence is not the next
   * @throws IllegalArgumentException if more bytes than claimed
   */
  void commit(long clientId, long sequence, int bytes) {
    Session session = open(clientId);
    if (session.replies.next() == 1) {
      session.replies.startAt(sequence);
    } else if (sequence != session.replies.next()) {
      throw new IllegalStateException(
          "client "
              + clientId
              + " is at sequence "
              + session.replies.next()
              + ", committed is "
              + sequence);
    }
    session.replies.commit(bytes);
    session.lastMs = clockMs;
    session.unlink();
    session.linkBefore(ends);
  }

  /** Records the client's next message as rejected, with a reason (UTF-8) as its reply. */
  public void reject(long clientId, long sequence, ByteBuffer buffer, int at, int bytes) {
    ByteBuffer room = claim(clientId, bytes);
    room.put(claimOffset, buffer, at, bytes);
    commit(clientId, sequence, bytes);
    current.replies.markRejected();
  }

  /** Whether a reply to a client's message before a sequence is kept. */
  public boolean keepsBefore(long clientId, long before) {
    Session session = get(clientId);
    return session != null && session.replies != null && session.replies.first() < before;
  }

  /** Drops the replies to a client's messages before a sequence, because the client has them. */
  public void release(long clientId, long before) {
    if (keepsBefore(clientId, before)) {
      current.replies.release(before);
      foundBuffer = null;
    }
  }

  /** Bytes of memory for all replies that are kept, without copies for views. */
  public long replyBytes() {
    return memory.bytes();
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

  /** Holds the reply found; valid until the next claim or commit. Leave position and limit. */
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

  /** Whether the reply found is the reason of a rejection. */
  public boolean isRejected() {
    return foundRejected;
  }

  /**
   * All sessions as they are now. Takes no copy of a reply: the first change of a client's replies
   * afterwards does.
   */
  public SessionsView view() {
    int clients = size();
    long[] ids = new long[clients];
    long[] times = new long[clients];
    ReplyRing.Frozen[] replies = new ReplyRing.Frozen[clients];
    int at = 0;
    for (Session session = ends.newer; session != ends; session = session.newer) {
      ids[at] = session.clientId;
      times[at] = session.lastMs;
      replies[at++] = session.replies.freeze();
    }
    long[] expiredIds = new long[expired];
    at = 0;
    for (Session session = expiredEnds.newer; session != expiredEnds; session = session.newer) {
      expiredIds[at++] = session.clientId;
    }
    return new SessionsView(clockMs, batchMs, ids, times, replies, expiredIds);
  }

  /**
   * Replaces all sessions by those that {@link SessionsView#save} wrote, within the limits of these
   * sessions.
   *
   * @param in null for no clients
   * @return the version of the application that the snapshot is of
   * @throws IOException if the stream holds anything else
   */
  int restore(DataInput in) throws IOException {
    clear();
    if (in == null) {
      return 1;
    }
    int head = in.readInt();
    int format = Batch.format(head);
    int clients = in.readInt();
    if (format < 1 || format > SessionsView.FORMAT || clients < 0) {
      throw SessionsView.unknown(format, clients);
    }
    boolean timed = format > 1;
    clockMs = timed ? in.readLong() : 0;
    batchMs = timed ? in.readLong() : 0;
    for (int i = 0; i < clients; i++) {
      Session session = add(in.readLong());
      session.lastMs = timed ? in.readLong() : 0;
      session.replies.restore(in, maxMessageBytes);
    }
    int ids = timed ? in.readInt() : 0;
    for (int i = 0; i < ids; i++) {
      expire(add(in.readLong()));
    }
    return Batch.version(head);
  }

  private void clear() {
    for (Session session = ends.newer; session != ends; session = session.newer) {
      session.replies.drop();
    }
    sessions.clear();
    ends.older = ends;
    ends.newer = ends;
    expiredEnds.older = expiredEnds;
    expiredEnds.newer = expiredEnds;
    expired = 0;
    clockMs = 0;
    batchMs = 0;
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
    if (session != null && session.replies == null) {
      // Only where the log was written with a longer expiry.
      forget(session);
      session = null;
    }
    if (session == null) {
      // At the same message on all replicas.
      while (size() >= maxClients) {
        expire(ends.newer);
      }
      session = add(clientId);
    }
    return session;
  }

  private Session add(long clientId) {
    Session session = new Session(clientId, new ReplyRing(replyWindow, memory));
    session.lastMs = clockMs;
    sessions.put(clientId, session);
    session.linkBefore(ends);
    current = session;
    return session;
  }
}
