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
 * @param segment number of the segment file that has the packet, 0 if the record itself has it
 */
public record PacketKey(
    long firstSequence, int count, int alive, int keep, int bytes, int segment) {
  public static final int BYTES = 24;

  /** The numbers of messages have 24 bits; the others are those of the segment. */
  private static final int COUNT_BITS = 24;

  private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;

  /** The key of a packet in its record. */
  public PacketKey(long firstSequence, int count, int alive, int keep, int bytes) {
    this(firstSequence, count, alive, keep, bytes, 0);
  }

  /** The same packet in a segment. */
  public PacketKey in(int itsSegment) {
    if (count > COUNT_MASK || itsSegment > COUNT_MASK) {
      throw new IllegalArgumentException(
          "packet " + firstSequence + ": " + count + " messages in segment " + itsSegment);
    }
    return new PacketKey(firstSequence, count, alive, keep, bytes, itsSegment);
  }

  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .putLong(firstSequence)
        .putInt(count | segment >>> 16 << COUNT_BITS)
        .putInt(alive | (segment >>> 8 & 0xff) << COUNT_BITS)
        .putInt(keep | (segment & 0xff) << COUNT_BITS)
        .putInt(bytes)
        .array();
  }

  public static PacketKey of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long first = in.getLong();
    int count = in.getInt();
    int alive = in.getInt();
    int keep = in.getInt();
    int segment = count >>> COUNT_BITS << 16 | alive >>> COUNT_BITS << 8 | keep >>> COUNT_BITS;
    return new PacketKey(
        first, count & COUNT_MASK, alive & COUNT_MASK, keep & COUNT_MASK, in.getInt(), segment);
  }

  /** The first bytes of the smallest key from a sequence on. */
  public static byte[] from(long sequence) {
    return ByteBuffer.allocate(Long.BYTES).putLong(sequence).array();
  }

  public long endSequence() {
    return firstSequence + count;
  }
}
