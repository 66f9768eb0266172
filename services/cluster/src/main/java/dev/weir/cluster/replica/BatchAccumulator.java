package dev.weir.cluster.replica;

import dev.weir.cluster.log.Batch;
import dev.weir.cluster.state.Sessions;
import dev.weir.cluster.transport.Frames;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Gathers messages into a batch frame and counts the batches that are not acknowledged. */
final class BatchAccumulator {
  private static final int IDLE_TICKS = 1_000;

  private final int batchBytes;
  private final int frameBytes;

  /** Null before the first batch, and after a while without one. */
  private ByteBuffer frame;

  private int idleTicks;
  private final CRC32C crc = new CRC32C();
  private final ReplyReleases releases = new ReplyReleases();
  private final long[] ends;
  private int oldest;
  private int outstanding;
  private boolean open;

  /**
   * @param batchBytes size at which a batch takes no further message
   * @param maxEntryBytes most bytes of one entry
   * @param maxBatches most batches that may be unacknowledged
   */
  BatchAccumulator(int batchBytes, int maxEntryBytes, int maxBatches) {
    this.batchBytes = batchBytes;
    this.frameBytes =
        Frames.HEADER_BYTES
            + Batch.HEADER_BYTES
            + batchBytes
            + Batch.MESSAGE_HEADER_BYTES
            + maxEntryBytes;
    this.ends = new long[maxBatches];
  }

  /** Forgets the open batch and all unacknowledged batches. */
  void reset() {
    open = false;
    outstanding = 0;
    releases.clear();
  }

  boolean isEmpty() {
    return !open;
  }

  boolean isFull() {
    return open && bytes() >= batchBytes;
  }

  /** Whether the next batch must wait for an acknowledgement. */
  boolean isBlocked() {
    return outstanding == ends.length;
  }

  /** Lets time pass: a group at rest needs no buffer. */
  void tick() {
    if (open || outstanding > 0) {
      idleTicks = 0;
    } else if (++idleTicks > IDLE_TICKS) {
      frame = null;
    }
  }

  /** Opens a batch if none is open. */
  void begin(int version, long epoch, long position, long timeMs) {
    if (!open) {
      idleTicks = 0;
      if (frame == null) {
        frame = ByteBuffer.allocateDirect(frameBytes);
      }
      Frames.begin(frame, Frames.APPEND, epoch);
      Batch.begin(frame, Frames.HEADER_BYTES, version, epoch, position, timeMs);
      open = true;
    }
  }

  long timeMs() {
    return Batch.timeMs(frame, Frames.HEADER_BYTES);
  }

  /** Version of the application in which the open batch is. */
  int version() {
    return Batch.version(frame, Frames.HEADER_BYTES);
  }

  /** The buffer to write the next message's body into, at {@link #room()}. */
  ByteBuffer buffer() {
    return frame;
  }

  int room() {
    return Frames.HEADER_BYTES + bytes() + Batch.MESSAGE_HEADER_BYTES;
  }

  /** Adds the message whose body has been written. */
  void add(long clientId, long sequence, int bodyBytes) {
    Batch.add(frame, Frames.HEADER_BYTES, clientId, sequence, bodyBytes);
  }

  /** Adds a rejected message; the reason has been written in place of its body. */
  void addRejected(long clientId, long sequence, int reasonBytes) {
    add(clientId, sequence, reasonBytes);
    Batch.markRejected(frame, Frames.HEADER_BYTES, reasonBytes);
  }

  /** The next batch that ends is to say that a client has the replies before a sequence. */
  void release(long clientId, long before) {
    releases.add(clientId, before);
  }

  /**
   * Ends the batch: the buffer holds it as a frame from its position to its limit.
   *
   * @param sessions drop the replies that the batch releases
   */
  ByteBuffer seal(Sessions sessions) {
    frame.clear();
    releases.moveTo(frame, Frames.HEADER_BYTES, sessions);
    Batch.seal(frame, Frames.HEADER_BYTES, crc);
    frame.limit(Frames.HEADER_BYTES + bytes());
    open = false;
    return frame;
  }

  /** Counts a batch as sent. */
  void sent(long endPosition) {
    ends[(oldest + outstanding++) % ends.length] = endPosition;
  }

  /** Counts the batches that end at or before a position as acknowledged. */
  void acknowledged(long position) {
    while (outstanding > 0 && ends[oldest] <= position) {
      oldest = (oldest + 1) % ends.length;
      outstanding--;
    }
  }

  private int bytes() {
    return Batch.bytes(frame, Frames.HEADER_BYTES);
  }
}
