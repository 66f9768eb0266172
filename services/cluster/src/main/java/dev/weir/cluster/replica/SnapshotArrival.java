package dev.weir.cluster.replica;

import dev.weir.cluster.log.Spool;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.transport.Frames;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/** Collects the parts of a snapshot from the primary. */
final class SnapshotArrival {
  private final Supplier<Spool> spools;

  /** Null before the first part. */
  private Spool content;

  private final CRC32C crc = new CRC32C();
  private LogEnd end = LogEnd.EMPTY;

  enum Result {
    /** More parts follow. */
    PART,
    /** The snapshot is complete. */
    COMPLETE,
    /** The part is damaged, or one before it is missing; the snapshot must be asked for again. */
    SPOILED
  }

  /**
   * @param spools where parts are kept until all are there
   */
  SnapshotArrival(Supplier<Spool> spools) {
    this.spools = spools;
  }

  void reset() {
    if (content != null) {
      content.discard();
      content = null;
    }
    end = LogEnd.EMPTY;
  }

  /**
   * Adds a {@link Frames#SNAPSHOT} frame that answers the last question.
   *
   * @param at of the frame's content after the question
   */
  Result add(ByteBuffer frame, int at) {
    LogEnd itsEnd = Frames.end(frame, at);
    long offset = frame.getLong(at + 2 * Long.BYTES);
    int checksum = frame.getInt(at + 3 * Long.BYTES);
    boolean last = frame.getInt(at + 3 * Long.BYTES + Integer.BYTES) != 0;
    byte[] part = new byte[frame.remaining() - Frames.SNAPSHOT_HEADER_BYTES];
    frame.get(frame.position() + Frames.SNAPSHOT_HEADER_BYTES, part);
    crc.reset();
    crc.update(part);
    long size = content == null ? 0 : content.size();
    boolean next = offset == 0 ? size == 0 : itsEnd.equals(end);
    if (!next || offset != size || checksum != (int) crc.getValue()) {
      return Result.SPOILED;
    }
    if (content == null) {
      content = spools.get();
    }
    end = itsEnd;
    content.write(part, 0, part.length);
    return last ? Result.COMPLETE : Result.PART;
  }

  LogEnd end() {
    return end;
  }

  Spool bytes() {
    return content;
  }
}
