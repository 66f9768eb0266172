package dev.weir.cluster.replica;

import dev.weir.cluster.log.ChunkedBytes;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.transport.Frames;
import java.nio.ByteBuffer;

/** Collects the parts of a snapshot from the primary in memory. */
final class SnapshotArrival {
  private ChunkedBytes content = new ChunkedBytes();
  private LogEnd end = LogEnd.EMPTY;

  void reset() {
    content = new ChunkedBytes();
    end = LogEnd.EMPTY;
  }

  /**
   * Adds a {@link Frames#SNAPSHOT} frame.
   *
   * @return true if it was the last part
   */
  boolean add(ByteBuffer frame) {
    int at = Frames.content(frame);
    end = new LogEnd(frame.getLong(at), frame.getLong(at + Long.BYTES));
    boolean last = frame.getInt(at + 2 * Long.BYTES) != 0;
    byte[] part = new byte[frame.remaining() - Frames.SNAPSHOT_HEADER_BYTES];
    frame.get(frame.position() + Frames.SNAPSHOT_HEADER_BYTES, part);
    content.write(part, 0, part.length);
    return last;
  }

  LogEnd end() {
    return end;
  }

  ChunkedBytes bytes() {
    return content;
  }
}
