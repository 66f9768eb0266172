package dev.weir.cluster.threads;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Frames on their way out, each behind its length, in one direct buffer. Not thread-safe. */
public final class ByteRing {
  private final ByteBuffer buffer;
  private final int capacity;
  private int head;
  private int size;

  public ByteRing(int capacity) {
    this.buffer = ByteBuffer.allocateDirect(capacity);
    this.capacity = capacity;
  }

  /** Takes a copy of what is between position and limit; false if there is no room. */
  public boolean offer(ByteBuffer frame) {
    int bytes = frame.remaining();
    if (capacity - size < Integer.BYTES + bytes) {
      return false;
    }
    buffer.clear();
    for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      buffer.put(index(size++), (byte) (bytes >>> shift));
    }
    int at = index(size);
    int first = Math.min(bytes, capacity - at);
    buffer.put(at, frame, frame.position(), first);
    buffer.put(0, frame, frame.position() + first, bytes - first);
    size += bytes;
    return true;
  }

  private int index(int offset) {
    int at = head + offset;
    return at < capacity ? at : at - capacity;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public void clear() {
    head = 0;
    size = 0;
  }

  /** Writes until nothing is left or the channel takes no more. */
  public void writeTo(WritableByteChannel channel) throws IOException {
    while (size > 0) {
      buffer.limit(Math.min(head + size, capacity)).position(head);
      int written = channel.write(buffer);
      head = index(written);
      size -= written;
      if (buffer.hasRemaining()) {
        return;
      }
    }
    head = 0;
  }
}
