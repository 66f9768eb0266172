package dev.weir.cluster.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Queues frames, each after its length, in one direct buffer, and writes them to a channel. Not
 * thread-safe.
 */
final class FrameWriter {
  private static final int FIRST_BYTES = 4 << 10;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final int maxBytes;

  /** Grows with what waits at once: most connections of a member are at rest. */
  private ByteBuffer buffer;

  private int capacity;
  private int head;
  private int size;

  FrameWriter(int maxBytes) {
    this.maxBytes = maxBytes;
    this.capacity = Math.min(FIRST_BYTES, maxBytes);
    this.buffer = ByteBuffer.allocateDirect(capacity);
  }

  /** Queues a copy of a frame, from position to limit; false if there is no room. */
  boolean offer(ByteBuffer frame) {
    return offer(NOTHING, frame);
  }

  /** The same of a frame that is in two buffers. */
  boolean offer(ByteBuffer head, ByteBuffer rest) {
    int bytes = head.remaining() + rest.remaining();
    if (maxBytes - size < Integer.BYTES + bytes) {
      return false;
    }
    if (capacity - size < Integer.BYTES + bytes) {
      grow(size + Integer.BYTES + bytes);
    }
    buffer.clear();
    for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      buffer.put(index(size++), (byte) (bytes >>> shift));
    }
    append(head);
    append(rest);
    return true;
  }

  private void append(ByteBuffer part) {
    int bytes = part.remaining();
    int at = index(size);
    int first = Math.min(bytes, capacity - at);
    buffer.put(at, part, part.position(), first);
    buffer.put(0, part, part.position() + first, bytes - first);
    size += bytes;
  }

  private void grow(int least) {
    int bytes = (int) Math.min(maxBytes, Math.max(least, 2L * capacity));
    ByteBuffer grown = ByteBuffer.allocateDirect(bytes);
    int first = Math.min(size, capacity - head);
    grown.put(0, buffer, head, first).put(first, buffer, 0, size - first);
    buffer = grown;
    capacity = bytes;
    head = 0;
  }

  private int index(int offset) {
    int at = head + offset;
    return at < capacity ? at : at - capacity;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Bytes that are queued, with the lengths of the frames. */
  int size() {
    return size;
  }

  void clear() {
    head = 0;
    size = 0;
  }

  /** Writes until the queue is empty or the channel accepts no more bytes. */
  void writeTo(WritableByteChannel channel) throws IOException {
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
