package dev.weir.queue.line;

import java.nio.ByteBuffer;

/**
 * Key of a packet record: sorts by sequence, and tells enough that opening a queue reads keys only.
 *
 * @param firstSequence sequence of the first message
 * @param count messages, so the next packet starts at {@code firstSequence + count} or later
 * @param alive of them, those that were still to be delivered when it was written
 * @param keep of those, the ones worth delivering after a restart
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

  /** The smallest key of a packet that starts at the sequence or later. */
  public static byte[] from(long sequence) {
    return ByteBuffer.allocate(Long.BYTES).putLong(sequence).array();
  }

  public long endSequence() {
    return firstSequence + count;
  }
}
