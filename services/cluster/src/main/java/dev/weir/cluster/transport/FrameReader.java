package dev.weir.cluster.transport;

import dev.weir.cluster.threads.ByteRing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** Cuts a stream into the frames that a {@link ByteRing} has put on it. Not thread-safe. */
public final class FrameReader {
  private static final int LEAST_BYTES = 64 << 10;

  private final ByteBuffer buffer;
  private final ByteBuffer frame;
  private final int maxFrameBytes;
  private int start;
  private int end;

  public FrameReader(int maxFrameBytes) {
    // Twice, so that after a move at least half of it is free.
    buffer = ByteBuffer.allocateDirect(2 * Math.max(LEAST_BYTES, Integer.BYTES + maxFrameBytes));
    frame = buffer.duplicate();
    this.maxFrameBytes = maxFrameBytes;
  }

  public void clear() {
    start = 0;
    end = 0;
  }

  /** One read; call it when {@link #next} has no more. Returns what the channel returned. */
  public int readFrom(ReadableByteChannel channel) throws IOException {
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
    return bytes;
  }

  /**
   * The next frame, valid until the next read; null if it has not come whole.
   *
   * @throws IOException if what came is no frame
   */
  public ByteBuffer next() throws IOException {
    if (end - start < Integer.BYTES) {
      return null;
    }
    int bytes = buffer.getInt(start);
    if (bytes < 0 || bytes > maxFrameBytes) {
      throw new IOException(
          "a frame of " + bytes + " bytes came, allowed is 0 to " + maxFrameBytes);
    }
    int from = start + Integer.BYTES;
    if (end - from < bytes) {
      return null;
    }
    start = from + bytes;
    return frame.limit(start).position(from);
  }
}
