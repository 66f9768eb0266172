package dev.weir.cluster.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** Splits a stream into the frames that a {@link FrameWriter} has written. Not thread-safe. */
final class FrameReader {
  private static final int MIN_BYTES = 64 << 10;
  private static final int FIRST_BYTES = 4 << 10;

  private final int maxFrameBytes;
  private final int maxBytes;

  /** Grows with what arrives at once: most connections of a member are at rest. */
  private ByteBuffer buffer = ByteBuffer.allocateDirect(FIRST_BYTES);

  private ByteBuffer frame = buffer.duplicate();
  private int start;
  private int end;

  FrameReader(int maxFrameBytes) {
    // Twice the largest frame: after unread bytes are moved, at least half of it is free.
    maxBytes = 2 * Math.max(MIN_BYTES, Integer.BYTES + maxFrameBytes);
    this.maxFrameBytes = maxFrameBytes;
  }

  void clear() {
    start = 0;
    end = 0;
  }

  /** Reads once, after {@link #next} has returned null. Returns what the channel returned. */
  int readFrom(ReadableByteChannel channel) throws IOException {
    if (start == end) {
      clear();
    } else if (buffer.capacity() - end < buffer.capacity() / 2) {
      buffer.limit(end).position(start).compact();
      end -= start;
      start = 0;
    }
    buffer.clear().position(end);
    int bytes = channel.read(buffer);
    end += Math.max(0, bytes);
    buffer.clear();
    if (end == buffer.capacity() && end < maxBytes) {
      grow();
    }
    return bytes;
  }

  private void grow() {
    int bytes = Math.min(maxBytes, 2 * buffer.capacity());
    ByteBuffer grown = ByteBuffer.allocateDirect(bytes);
    grown.put(0, buffer, start, end - start);
    end -= start;
    start = 0;
    buffer = grown;
    frame = buffer.duplicate();
  }

  /**
   * Returns the next frame, valid until the next read; null if it is not complete yet.
   *
   * @throws IOException if its length is out of range
   */
  ByteBuffer next() throws IOException {
    if (end - start < Integer.BYTES) {
      return null;
    }
    int bytes = buffer.getInt(start);
    if (bytes < 0 || bytes > maxFrameBytes) {
      throw new IOException(
          "received a frame of " + bytes + " bytes, allowed is 0 to " + maxFrameBytes);
    }
    int from = start + Integer.BYTES;
    if (end - from < bytes) {
      return null;
    }
    start = from + bytes;
    return frame.limit(start).position(from);
  }
}
