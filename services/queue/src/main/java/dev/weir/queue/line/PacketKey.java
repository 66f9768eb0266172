package dev.weir.queue.line;

import java.nio.ByteBuffer;

/**
 * Key of a packet's record. Keys sort by sequence. They hold enough that the opening of a queue
 * reads no record.
 *
 * @param firstSequence sequence of the first message
 * @param count number of messages; the next packet starts at {@code firstSequence + count} or later
 * @param alive number of messages that were not settled when the packet was written
 * @param keep number of them that are of use after a restart
 * @param bytes size of the packet as the budget counts it
 */
public record PacketKey(long firstSequence, int count, int alive, int keep, int bytes) {
  public static final int BYTES = 24;

  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .putLong(firstSequence)
        .putInt(count)
        .putInt(alive)
        .putInt(keep)
        .putInt(bytes)
        .array();
  }

  public static PacketKey of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new PacketKey(in.getLong(), in.getInt(), in.getInt(), in.getInt(), in.getInt());
  }

  /** The first bytes of the smallest key from a sequence on. */
  public static byte[] from(long sequence) {
    return ByteBuffer.allocate(Long.BYTES).putLong(sequence).array();
  }

  public long endSequence() {
    return firstSequence + count;
  }
}
