package dev.weir.queue.line;

import dev.weir.queue.QueueException.Reason;

/**
 * Gives up waiting messages of a {@link PacketLine}: the oldest ones above the budget, and those
 * that a purge has named. Packets in memory go at once, packets on disk when they are read, packets
 * that are being written when they are committed.
 *
 * @param <T> the message type
 */
final class PacketTrim<T> {
  private final ReadAhead<T> onDisk;
  private final UnwrittenPackets<T> unwritten;
  private final PacketEnds<T> ends;
  private final PacketTotals totals;
  private final long dropAboveBytes;

  /** Behind the last message to be purged. */
  private long purgeEnd;

  PacketTrim(
      ReadAhead<T> onDisk,
      UnwrittenPackets<T> unwritten,
      PacketEnds<T> ends,
      PacketTotals totals,
      long dropAboveBytes) {
    this.onDisk = onDisk;
    this.unwritten = unwritten;
    this.ends = ends;
    this.totals = totals;
    this.dropAboveBytes = dropAboveBytes;
  }

  boolean isOverBudget() {
    return usedBytes() > dropAboveBytes;
  }

  private long usedBytes() {
    return totals.bytes + totals.besideBytes.getAsLong();
  }

  long purgeEnd() {
    return purgeEnd;
  }

  /** Purges what waits before a sequence. */
  void purgeBefore(long end) {
    purgeEnd = end;
    trim(0);
  }

  /**
   * Drops the oldest waiting messages until there is room.
   *
   * @param maxDebtBytes upper bound of what is dropped later, when it is read or committed
   * @return false if there is not enough to drop, or the debt is too large
   */
  boolean makeRoom(long moreBytes, long maxDebtBytes) {
    long waitingBytes = onDisk.headBytes() + onDisk.disk.bytes + unwritten.bytes;
    if (usedBytes() + moreBytes - dropAboveBytes > waitingBytes) {
      return false;
    }
    trim(moreBytes);
    return usedBytes() + moreBytes - dropAboveBytes <= maxDebtBytes;
  }

  /** Gives up what is in memory and over the budget, or named by a purge. */
  void trim(long moreBytes) {
    for (Packet<T> packet = first();
        packet != null && isToGo(packet, moreBytes);
        packet = first()) {
      poll();
      boolean isPurged = packet.firstSequence < purgeEnd;
      if (isPurged) {
        totals.purged += packet.unsettled();
      } else {
        totals.dropped += packet.unsettled();
      }
      ends.discard(packet, isPurged ? Reason.PURGED : Reason.DROPPED);
    }
  }

  private boolean isToGo(Packet<T> packet, long moreBytes) {
    return packet.firstSequence < purgeEnd || usedBytes() + moreBytes > dropAboveBytes;
  }

  /** The oldest packet in memory that can be given up, or null. */
  private Packet<T> first() {
    if (onDisk.peek() != null) {
      return onDisk.peek();
    }
    boolean isTailNext = onDisk.disk.isEmpty() && unwritten.isFirstDeliverable();
    return isTailNext && !unwritten.first().isWriting() ? unwritten.first() : null;
  }

  private Packet<T> poll() {
    Packet<T> first = onDisk.poll();
    return first == null ? unwritten.pollFirst() : first;
  }
}
