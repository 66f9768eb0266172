package dev.weir.queue.line;

import dev.weir.options.ByteBudget;
import dev.weir.options.ByteLease;
import dev.weir.queue.OverflowPolicy;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStoreOptions;
import java.util.function.BooleanSupplier;

/** The limits of a queue: decides whether a message may be added, and says why it may not. */
public final class QueueLimits {

  /**
   * Limits of the packets of a queue, in bytes.
   *
   * @param packetBytes a packet is closed when it has as many and at least {@value #MANY_MESSAGES}
   *     messages
   * @param largePacketBytes a packet is closed when it has as many
   * @param readAheadBytes upper bound of the packets in memory that are on disk, however many
   *     queues have some
   * @param roomyAheadBytes the same while the heap is not scarce; at least {@code readAheadBytes}
   * @param dropAboveBytes above it the oldest messages are dropped
   * @param writeThrough true to deliver messages from disk only
   * @param writeAheadBytes with as many bytes on disk ahead of the consumer, packets without
   *     durability are not written yet
   * @param writePressureBytes with more bytes in memory, packets are written in any case and leave
   *     memory once they are
   * @param messageHeapBytes what a message in memory, or an attachment, takes of the heap besides
   *     its bytes
   * @param isScarce true while all queues together take so much of the heap that packets are
   *     written in any case, and leave memory once they are
   */
  record PacketLimits(
      int packetBytes,
      int largePacketBytes,
      long readAheadBytes,
      long roomyAheadBytes,
      long dropAboveBytes,
      boolean writeThrough,
      long writeAheadBytes,
      long writePressureBytes,
      int messageHeapBytes,
      BooleanSupplier isScarce) {

    /** What a packet costs is shared by at least as many messages, if they are not too large. */
    private static final int MANY_MESSAGES = 24;

    /** A consumer with more than this part of a read-ahead before it needs no more at once. */
    private static final int ENOUGH_AHEAD = 4;

    /** True if a packet takes no more messages. */
    boolean isFull(int bytes, int messages) {
      return bytes >= packetBytes && messages >= MANY_MESSAGES || bytes >= largePacketBytes;
    }

    /** Upper bound of the packets that are read ahead now. */
    long mostAheadBytes() {
      return isScarce.getAsBoolean() ? readAheadBytes : roomyAheadBytes;
    }

    /** With more bytes on disk before the consumer, a packet of requests is written when full. */
    long enoughAheadBytes() {
      return readAheadBytes / ENOUGH_AHEAD;
    }
  }

  /**
   * Messages without durability are written at most this many read-aheads ahead of the consumer.
   */
  private static final int WRITE_AHEAD = 4;

  /** Space becomes free a packet at a time, so a packet takes at most this part of the budget. */
  private static final int PACKETS_IN_BUDGET = 16;

  private static final int MIN_PACKET_BYTES = 256;

  /** A packet of few messages is at most as many times as large as others... */
  private static final int LARGE_PACKET = 4;

  /** ...and at most this part of a read-ahead, so that one is read while another is consumed. */
  private static final int PACKETS_IN_READ_AHEAD = 4;

  /**
   * A read-ahead takes at most this part of what all queues may hold, so that many queues can have
   * one...
   */
  private static final int READ_AHEAD_PARTS = 64;

  /**
   * ...and this part while they hold less than half. A small read-ahead costs a drain more than a
   * third of its speed: consumer and reader wait for each other at each packet.
   */
  private static final int ROOMY_READ_AHEAD_PARTS = 8;

  private static final int MIN_DEFERRED_BYTES = 64 << 10;

  /**
   * What a message in memory, or an attachment, takes of the heap besides its bytes: the objects of
   * message and envelope, and the places in the arrays of its packet.
   */
  private static final int MESSAGE_HEAP_BYTES = 256;

  /** Bounds {@link #MESSAGE_HEAP_BYTES}: a small budget has room for so many messages. */
  private static final int MESSAGES_IN_BUDGET = 4096;

  private final String queue;
  private final QueueOptions options;
  private final QueueStoreOptions storeOptions;

  private final long maxBytes;
  private final int maxMessageBytes;
  private final OverflowPolicy policy;
  private final long writeBufferBytes;
  private final long readAheadBytes;
  private final long roomyAheadBytes;
  private final ByteLease buffers;
  private final int messageHeapBytes;

  /** Counts what all queues of the store take of the heap; no message is refused for it. */
  private final ByteBudget heap;

  private final ByteLease heapLease;

  /** With more bytes in {@link #heap}, packets leave memory once they are written. */
  private final long enoughBytes;

  /**
   * @param buffers what all queues of the store may hold in memory together
   * @param heap counts what all queues of the store take of the heap
   */
  public QueueLimits(
      String queue,
      QueueOptions options,
      QueueStoreOptions storeOptions,
      ByteBudget buffers,
      ByteBudget heap) {
    this.queue = queue;
    this.options = options;
    this.storeOptions = storeOptions;
    this.maxBytes = options.getMaxBytes();
    this.maxMessageBytes = (int) Math.min(options.getMaxMessageBytes(), buffers.limitBytes());
    this.policy = options.getPolicy();
    this.writeBufferBytes = Math.min(options.getWriteBufferBytes(), buffers.limitBytes());
    this.readAheadBytes = readAhead(buffers, READ_AHEAD_PARTS);
    this.roomyAheadBytes = readAhead(buffers, ROOMY_READ_AHEAD_PARTS);
    this.buffers = new ByteLease(buffers);
    this.messageHeapBytes =
        (int) Math.min(MESSAGE_HEAP_BYTES, buffers.limitBytes() / MESSAGES_IN_BUDGET);
    this.heap = heap;
    this.heapLease = new ByteLease(heap);
    this.enoughBytes = buffers.limitBytes() / 2;
  }

  private long readAhead(ByteBudget buffers, int parts) {
    return Math.min(options.getReadAheadBytes(), buffers.limitBytes() / parts);
  }

  /**
   * Makes the packets of the queue.
   *
   * @param ids the ids that the queue remembers
   */
  public <T> PacketLine<T> newPackets(IdWindow ids) {
    long share = Math.max(MIN_PACKET_BYTES, maxBytes / PACKETS_IN_BUDGET);
    long packetBytes = Math.min(storeOptions.getPacketBytes(), share);
    long mostBytes = Math.min(share, readAheadBytes / PACKETS_IN_READ_AHEAD);
    return new PacketLine<>(
        new PacketLimits(
            (int) packetBytes,
            (int) Math.max(packetBytes, Math.min(LARGE_PACKET * packetBytes, mostBytes)),
            readAheadBytes,
            roomyAheadBytes,
            dropsOldest() ? maxBytes : Long.MAX_VALUE,
            options.isWriteThrough(),
            WRITE_AHEAD * readAheadBytes,
            writeBufferBytes / 2,
            messageHeapBytes,
            () -> heap.usedBytes() > enoughBytes),
        ids);
  }

  /** Makes the deferred messages of the queue, see {@link DeferredMessages}. */
  public <T> DeferredMessages<T> newDeferred(long firstNumber) {
    long memoryBytes = Math.max(MIN_DEFERRED_BYTES, readAheadBytes);
    return new DeferredMessages<>(memoryBytes, writeBufferBytes / 2, firstNumber);
  }

  /** True if the queue can never take a message of this size. */
  public boolean isTooLarge(int sizeBytes) {
    return sizeBytes > maxMessageBytes || costBytes(sizeBytes) > maxBytes;
  }

  /**
   * Returns null if there is room for a message, else the reason to refuse it. Drops the oldest
   * messages if the policy of the queue says so: deferred ones first, which are older than those
   * that wait in the packets.
   */
  public Reason admit(Dispatcher<?> messages, int sizeBytes) {
    PacketLine<?> packets = messages.packets;
    long more = costBytes(sizeBytes);
    if (packets.bufferedBytes() + more > writeBufferBytes && packets.bufferedBytes() > 0
        || !buffers.covers(messages.heldBytes() + more + messageHeapBytes) && !mustHold(packets)) {
      return dropsNewest() ? Reason.DROPPED : Reason.BUFFER_FULL;
    }
    if (more <= maxBytes - messages.bytes() || dropsOldest() && makeRoom(messages, more)) {
      return null;
    }
    return dropsNewest() ? Reason.DROPPED : Reason.QUEUE_FULL;
  }

  /** A sender that waits in an empty queue would wait for ever: nothing there makes room. */
  private boolean mustHold(PacketLine<?> packets) {
    return policy == OverflowPolicy.BLOCK && packets.heldBytes() == 0;
  }

  /** True if the messages of senders that wait for room may have so many bytes. */
  public boolean mayHold(Dispatcher<?> messages, long blockedBytes) {
    return buffers.covers(messages.heldBytes() + blockedBytes);
  }

  /**
   * Notes what the queue holds in memory, so that other queues may hold the rest.
   *
   * @param heldBytes what the queue holds of the budget of all queues
   */
  public void settle(Dispatcher<?> messages, long heldBytes) {
    buffers.settle(heldBytes);
    PacketLine<?> packets = messages.packets;
    long heapBytes =
        heldBytes == 0 ? 0 : packets.unwritten.heapBytes() + packets.onDisk.heapBytes();
    // A lease takes bytes in steps by covers(), and exactly by settle().
    heapLease.covers(heapBytes);
    heapLease.settle(heapBytes);
  }

  /**
   * Drops the oldest messages of a queue that came over its budget without an append, if its policy
   * says so: a message that moves leaves its space behind until its whole packet is done with, a
   * dead letter comes back, and an opening may find what was dropped and not deleted.
   */
  public void keepBudget(Dispatcher<?> messages) {
    if (dropsOldest() && messages.bytes() > maxBytes) {
      makeRoom(messages, 0);
    }
  }

  private boolean makeRoom(Dispatcher<?> messages, long more) {
    messages.dropDeferred(messages.bytes() + more - maxBytes);
    return messages.deferred.drop().debtBytes() <= writeBufferBytes
        && messages.packets.makeRoom(more, writeBufferBytes);
  }

  /** Upper bound for a message: it may need a packet of its own. */
  private static long costBytes(int sizeBytes) {
    return (long) sizeBytes + RecordSizes.MESSAGE_HEADER_BYTES + RecordSizes.PACKET_HEADER_BYTES;
  }

  private boolean dropsOldest() {
    return policy == OverflowPolicy.DROP_OLDEST;
  }

  private boolean dropsNewest() {
    return policy == OverflowPolicy.DROP_NEWEST;
  }

  /** The exception for a refused message. */
  public QueueException failure(Reason reason) {
    return new QueueException(
        reason,
        switch (reason) {
          case QUEUE_FULL -> "queue " + queue + " is full: maxBytes is " + maxBytes;
          case BUFFER_FULL ->
              "queue "
                  + queue
                  + " gets more than the disk takes: writeBufferBytes is "
                  + writeBufferBytes
                  + ", and all queues of the store share the heap for buffers";
          case MESSAGE_TOO_LARGE ->
              "message too large for queue "
                  + queue
                  + ": maxMessageBytes is "
                  + maxMessageBytes
                  + ", maxBytes is "
                  + maxBytes;
          case DROPPED -> "queue " + queue + " is full and drops the newest message";
          case DISK_FULL ->
              "the disk of queue "
                  + queue
                  + " is full: minFreeBytes is "
                  + storeOptions.getMinFreeBytes();
          case EXPIRED -> "the message of queue " + queue + " expired";
          case PURGED -> "the message of queue " + queue + " was purged";
          case STORE_FAILED -> "the store of queue " + queue + " cannot write its files";
          case ID_REUSED -> "queue " + queue + " has another message with this id";
          case UNWRITABLE -> "the serde of queue " + queue + " cannot write the message";
          default -> "queue " + queue + " is closed";
        });
  }
}
