package dev.weir.queue.store;

import java.nio.ByteBuffer;

/** The buffer in which the writer thread encodes records, one at a time. */
final class Scratch {
  private static final int MIN_BYTES = 256 << 10;
  private static final int KEPT_BYTES = 8 << 20;

  private ByteBuffer kept = ByteBuffer.allocate(MIN_BYTES);

  /** A buffer with at least this capacity; only the last one may be in use. */
  ByteBuffer of(int bytes) {
    if (kept.capacity() < bytes) {
      ByteBuffer larger = ByteBuffer.allocate(Math.max(bytes, kept.capacity() * 2));
      if (bytes > KEPT_BYTES) {
        return larger;
      }
      kept = larger;
    }
    return kept;
  }
}
