package dev.weir.cluster.replica;

import dev.weir.cluster.log.Batch;
import dev.weir.cluster.transport.Frames;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The batch that gathers, ready to be sent, and how many are on their way. Without I/O. */
final class BatchAccumulator {
  private final int batchBytes;
  private final ByteBuffer frame;
  private final CRC32C crc = new CRC32C();
  private final long[] ends;
  private int oldest;
  private int outstanding;
  private boolean open;

  /**
   * @param batchBytes size at which a batch takes no further message
   * @param maxEntryBytes room that one message may need
   * @param maxBatches how many may be on their way
   */
  BatchAccumulator(int batchBytes, int maxEntryBytes, int maxBatches) {
    this.batchBytes = batchBytes;
    this.frame =
        ByteBuffer.allocateDirect(
            Frames.HEADER_BYTES
                + Batch.HEADER_BYTES
                + batchBytes
                + Batch.MESSAGE_HEADER_BYTES
                + maxEntryBytes);
    this.ends = new long[maxBatches];
  }

  /** Nothing gathers, nothing is on its way. */
  void reset() {
    open = false;
    outstanding = 0;
  }

  boolean isEmpty() {
    return !open;
  }

  boolean isFull() {
    return open && bytes() >= batchBytes;
  }

  /** So many batches are on their way that the next must wait. */
  boolean isBlocked() {
    return outstanding == ends.length;
  }

  /** Begins a batch if none gathers. */
  void begin(long epoch, long position, long timeMs) {
    if (!open) {
      Frames.begin(frame, Frames.APPEND, epoch);
      Batch.begin(frame, Frames.HEADER_BYTES, epoch, position, timeMs);
      open = true;
    }
  }

  long timeMs() {
    return Batch.timeMs(frame, Frames.HEADER_BYTES);
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

  /** Ends the batch: the buffer holds it as a frame from its position to its limit. */
  ByteBuffer seal() {
    frame.clear();
    Batch.seal(frame, Frames.HEADER_BYTES, crc);
    frame.limit(Frames.HEADER_BYTES + bytes());
    open = false;
    return frame;
  }

  /** Counts a batch as on its way. */
  void sent(long endPosition) {
    ends[(oldest + outstanding++) % ends.length] = endPosition;
  }

  /** What ends at or before the position has arrived. */
  void arrived(long position) {
    while (outstanding > 0 && ends[oldest] <= position) {
      oldest = (oldest + 1) % ends.length;
      outstanding--;
    }
  }

  private int bytes() {
    return Batch.bytes(frame, Frames.HEADER_BYTES);
  }
}
