package dev.weir.queue;

import java.nio.ByteBuffer;

/**
 * Key of a packet record: sorts by sequence, and tells enough that opening a queue reads keys only.
 *
 * @param firstSequence sequence of the first message
 * @param count messages, so the next packet starts at {@code firstSequence + count} or later
 * @param keepCount of them, those worth delivering after a restart
 * @param bytes size of the record
 */
record PacketKey(long firstSequence, int count, int keepCount, int bytes) {
  static final int BYTES = 20;

  byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .putLong(firstSequence)
        .putInt(count)
        .putInt(keepCount)
        .putInt(bytes)
        .array();
  }

  static PacketKey of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new PacketKey(in.getLong(), in.getInt(), in.getInt(), in.getInt());
  }

  /** The smallest key of a packet that starts at the sequence or later. */
  static byte[] from(long sequence) {
    return ByteBuffer.allocate(Long.BYTES).putLong(sequence).array();
  }

  long endSequence() {
    return firstSequence + count;
  }
}
