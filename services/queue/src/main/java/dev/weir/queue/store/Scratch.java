package dev.weir.queue.store;

import java.nio.ByteBuffer;

/** The buffers in which a thread of the store encodes or reads records, one at a time. */
final class Scratch {
  private static final int MIN_BYTES = 256 << 10;
  private static final int KEPT_BYTES = 8 << 20;

  private ByteBuffer heap = ByteBuffer.allocate(0);
  private ByteBuffer direct = heap;

  /** A buffer with an array of at least this size; only the last one may be in use. */
  ByteBuffer of(int bytes) {
    if (bytes > KEPT_BYTES) {
      return ByteBuffer.allocate(bytes);
    }
    if (heap.capacity() < bytes) {
      heap = ByteBuffer.allocate(larger(bytes, heap));
    }
    return heap;
  }

  /**
   * The same for what goes to a segment or comes from one.
   *
   * @param isDirect whether it need not have an array: the system then reads and writes it without
   *     a copy
   */
  ByteBuffer of(int bytes, boolean isDirect) {
    if (!isDirect || bytes > KEPT_BYTES) {
      return of(bytes);
    }
    if (direct.capacity() < bytes) {
      direct = ByteBuffer.allocateDirect(larger(bytes, direct));
    }
    return direct;
  }

  private static int larger(int bytes, ByteBuffer present) {
    return Math.max(MIN_BYTES, Math.max(bytes, Math.min(KEPT_BYTES, present.capacity() * 2)));
  }
}
