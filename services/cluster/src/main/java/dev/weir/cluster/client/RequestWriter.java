package dev.weir.cluster.client;

import io.vertx.core.buffer.Buffer;

/**
 * Writes the requests of a client, and now and then which replies it has, so that the group need
 * not keep them. On the client's context.
 */
final class RequestWriter {
  /** Requests of one turn of the event loop are written together, up to about this size. */
  private static final int WRITE_BYTES = 256 << 10;

  /** After so many replies the client says that it has them. */
  private static final int REPLIES_PER_RELEASE = 64;

  /** Or after so many bytes of replies. */
  private static final int BYTES_PER_RELEASE = 16 << 10;

  /** Or after so many ticks, if it has fewer. */
  private static final int TICKS_PER_RELEASE = 8;

  private final RequestWindow window;

  /** The id is of this client alone: no other one asks for its replies. */
  private final boolean releases;

  /** The member of the current connection takes releases. */
  private boolean taken;

  /** The client that {@link #releasedBefore} is of. */
  private long releasedId;

  private long releasedBefore;
  private int replies;
  private long replyBytes;
  private int ticks;

  /**
   * @param releases whether replies may be given up that the client has: not if its id is known to
   *     others, or to the same program after a restart
   */
  RequestWriter(RequestWindow window, boolean releases) {
    this.window = window;
    this.releases = releases;
  }

  /** A member has said {@link ClientFrames#welcome}. What was released before may be lost. */
  void begin(Buffer welcome) {
    ClientFrames.begin(window, welcome);
    taken = releases && ClientFrames.takesReleases(welcome);
    releasedBefore = 0;
    replies = Math.max(1, replies);
  }

  /** A reply of so many bytes has come. */
  void replied(int bytes) {
    replies++;
    replyBytes += bytes;
  }

  /** Writes the requests that may be sent. */
  void write(ClientLink socket, long clientId) {
    boolean isDue = replies >= REPLIES_PER_RELEASE || replyBytes >= BYTES_PER_RELEASE;
    Buffer frames = isDue ? release(clientId) : null;
    for (var next = window.nextToWrite(); next != null; next = window.nextToWrite()) {
      if (frames != null && frames.length() + next.body().length() > WRITE_BYTES) {
        socket.write(frames);
        frames = null;
      }
      if (frames == null) {
        frames = Buffer.buffer();
      }
      ClientFrames.appendRequest(frames, clientId, next.sequence(), next.body());
    }
    if (frames != null) {
      socket.write(frames);
    }
  }

  /** Lets time pass; now and then says which replies the client has, however few these are. */
  void tick(ClientLink socket, long clientId) {
    if (++ticks % TICKS_PER_RELEASE == 0 && replies > 0) {
      Buffer frame = release(clientId);
      if (frame != null) {
        socket.write(frame);
      }
    }
  }

  /** Null if there is nothing that the member would take. */
  private Buffer release(long clientId) {
    replies = 0;
    replyBytes = 0;
    long before = window.firstUnanswered();
    if (!taken || clientId == releasedId && before <= releasedBefore || before <= 1) {
      return null;
    }
    releasedId = clientId;
    releasedBefore = before;
    Buffer frame = Buffer.buffer();
    ClientFrames.appendRelease(frame, clientId, before);
    return frame;
  }
}
