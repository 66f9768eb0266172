package dev.weir.queue.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An open segment. Several threads may use it at once. */
public interface SegmentFile extends Closeable {
  /** Writes all remaining bytes at a place. */
  void write(ByteBuffer bytes, long at) throws IOException;

  /** Reads until the buffer is full; false if the segment ends before. */
  boolean read(ByteBuffer into, long at) throws IOException;

  /** Returns once all that was written is on the device. */
  void force() throws IOException;
}
