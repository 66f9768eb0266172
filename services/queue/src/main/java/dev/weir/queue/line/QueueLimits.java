package dev.weir.queue.line;

import dev.weir.queue.OverflowPolicy;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStoreOptions;

/** Decides whether a message may come into a queue, and says why it may not. */
public final class QueueLimits {
  /** The write buffer takes one such part of the heap at most. */
  private static final int HEAP_SHARE = 8;

  /** Messages without durability are written so many read-aheads ahead of the consumer. */
  private static final int WRITE_AHEAD = 4;

  /** A packet is a small part of the budget, since space becomes free a packet at a time. */
  private static final int PACKETS_IN_BUDGET = 16;

  private static final int MIN_PACKET_BYTES = 256;

  private static final int MIN_SIDE_BYTES = 64 << 10;

  private final String queue;
  private final QueueOptions options;
  private final QueueStoreOptions storeOptions;

  private final long writeBufferBytes;

  public QueueLimits(String queue, QueueOptions options, QueueStoreOptions storeOptions) {
    this.queue = queue;
    this.options = options;
    this.storeOptions = storeOptions;
    this.writeBufferBytes =
        Math.min(options.getWriteBufferBytes(), Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  public <T> PacketLine<T> newLine() {
    long share = Math.max(MIN_PACKET_BYTES, options.getMaxBytes() / PACKETS_IN_BUDGET);
    PacketLine<T> line =
        new PacketLine<>(
            (int) Math.min(storeOptions.getPacketBytes(), share),
            options.getReadAheadBytes(),
            dropsOldest() ? options.getMaxBytes() : Long.MAX_VALUE);
    line.writeThrough = options.isWriteThrough();
    line.writeAheadBytes = WRITE_AHEAD * options.getReadAheadBytes();
    line.writePressureBytes = writeBufferBytes / 2;
    return line;
  }

  public boolean isTooLarge(int sizeBytes) {
    return sizeBytes > options.getMaxMessageBytes() || costBytes(sizeBytes) > options.getMaxBytes();
  }

  public <T> SideLine<T> newSideLine(long firstNumber) {
    long memoryBytes = Math.max(MIN_SIDE_BYTES, options.getReadAheadBytes());
    return new SideLine<>(memoryBytes, writeBufferBytes / 2, firstNumber);
  }

  /**
   * Null if the message may come in; makes room for it when the policy says so.
   *
   * @param sideBytes what the queue holds beside its line
   */
  public Reason admit(PacketLine<?> line, long sideBytes, int sizeBytes) {
    long more = costBytes(sizeBytes);
    if (line.bufferedBytes + more > writeBufferBytes && line.bufferedBytes > 0) {
      return dropsNewest() ? Reason.DROPPED : Reason.BUFFER_FULL;
    }
    if (more <= options.getMaxBytes() - line.bytes - sideBytes
        || dropsOldest() && line.makeRoom(more, writeBufferBytes)) {
      return null;
    }
    return dropsNewest() ? Reason.DROPPED : Reason.QUEUE_FULL;
  }

  /** What a message takes at most: it may need a packet of its own. */
  private static long costBytes(int sizeBytes) {
    return (long) sizeBytes + RecordSizes.MESSAGE_HEADER_BYTES + RecordSizes.PACKET_HEADER_BYTES;
  }

  private boolean dropsOldest() {
    return options.getPolicy() == OverflowPolicy.DROP_OLDEST;
  }

  private boolean dropsNewest() {
    return options.getPolicy() == OverflowPolicy.DROP_NEWEST;
  }

  public QueueException failure(Reason reason) {
    return new QueueException(
        reason,
        switch (reason) {
          case QUEUE_FULL -> "queue " + queue + " is full: maxBytes is " + options.getMaxBytes();
          case BUFFER_FULL ->
              "queue "
                  + queue
                  + " gets more than the disk takes: writeBufferBytes is "
                  + options.getWriteBufferBytes();
          case MESSAGE_TOO_LARGE ->
              "message too large for queue "
                  + queue
                  + ": maxMessageBytes is "
                  + options.getMaxMessageBytes()
                  + ", maxBytes is "
                  + options.getMaxBytes();
          case DROPPED -> "queue " + queue + " is full and drops the newest message";
          case DISK_FULL ->
              "the disk of queue "
                  + queue
                  + " is full: minFreeBytes is "
                  + storeOptions.getMinFreeBytes();
          case EXPIRED -> "the message of queue " + queue + " expired";
          case PURGED -> "the message of queue " + queue + " was purged";
          case STORE_FAILED -> "the store of queue " + queue + " cannot write its files";
          case UNWRITABLE -> "the serde of queue " + queue + " cannot write the message";
          default -> "queue " + queue + " is closed";
        });
  }
}
