package dev.weir.cluster.state;

import dev.weir.cluster.log.Batch;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The sessions as they were at one moment. Another thread may write them while the sessions change.
 */
public final class SessionsView {
  /** Format 1 had neither times nor expired clients. */
  static final int FORMAT = 2;

  private final long clockMs;
  private final long batchMs;
  private final long[] clients;
  private final long[] lastMs;
  private final ReplyRing.Frozen[] replies;
  private final long[] expired;

  /**
   * @param clients ids, the one without a message for the longest time first
   * @param lastMs for each of them
   * @param replies for each of them
   * @param expired ids, the first to expire first
   */
  SessionsView(
      long clockMs,
      long batchMs,
      long[] clients,
      long[] lastMs,
      ReplyRing.Frozen[] replies,
      long[] expired) {
    this.clockMs = clockMs;
    this.batchMs = batchMs;
    this.clients = clients;
    this.lastMs = lastMs;
    this.replies = replies;
    this.expired = expired;
  }

  /**
   * Writes them; any thread.
   *
   * @param version of the application that the snapshot is of: who does not know it must not read
   *     on
   */
  public void save(DataOutput out, int version) throws IOException {
    out.writeInt(Batch.withVersion(FORMAT, version));
    out.writeInt(clients.length);
    out.writeLong(clockMs);
    out.writeLong(batchMs);
    for (int i = 0; i < clients.length; i++) {
      out.writeLong(clients[i]);
      out.writeLong(lastMs[i]);
      replies[i].save(out);
    }
    out.writeInt(expired.length);
    for (long client : expired) {
      out.writeLong(client);
    }
  }

  /** Reads over what {@link #save} wrote, of any format up to this one. */
  static void skip(DataInputStream in) throws IOException {
    int format = Batch.format(in.readInt());
    int clients = in.readInt();
    if (format < 1 || format > FORMAT || clients < 0) {
      throw unknown(format, clients);
    }
    int timed = format > 1 ? Long.BYTES : 0;
    in.skipNBytes(2 * timed);
    for (int i = 0; i < clients; i++) {
      in.skipNBytes(Long.BYTES + timed);
      ReplyRing.skip(in);
    }
    if (timed > 0) {
      in.skipNBytes((long) Long.BYTES * in.readInt());
    }
  }

  /** What to say of a stream that is no sessions. */
  static IOException unknown(int format, int clients) {
    return new IOException(
        "sessions have format %d with %d clients, known is up to %d"
            .formatted(format, clients, FORMAT));
  }
}
