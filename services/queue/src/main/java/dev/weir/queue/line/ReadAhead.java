package dev.weir.queue.line;

import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.line.QueueLimits.PacketLimits;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SortedSet;

/**
 * The packets of a queue that are on disk: the next ones in memory too (the head), the others only
 * counted ({@link DiskRegion}) until they are read.
 *
 * @param <T> the message type
 */
final class ReadAhead<T> {
  private final PacketLimits limits;
  private final PacketTotals totals;
  private final PacketEnds<T> ends;
  private final ArrayDeque<Packet<T>> head = new ArrayDeque<>();
  private long headBytes;
  private long headMessages;
  final DiskRegion disk = new DiskRegion();

  ReadAhead(PacketLimits limits, PacketTotals totals, PacketEnds<T> ends) {
    this.limits = limits;
    this.totals = totals;
    this.ends = ends;
  }

  // ---- the head

  /** The next packet, or null if none is in memory. */
  Packet<T> peek() {
    return head.peek();
  }

  /** Takes the next packet; null if none is in memory. */
  Packet<T> poll() {
    Packet<T> next = head.poll();
    if (next != null) {
      left(next);
    }
    return next;
  }

  private void left(Packet<T> packet) {
    headBytes -= packet.bytes;
    headMessages -= packet.count;
  }

  long headBytes() {
    return headBytes;
  }

  long headMessages() {
    return headMessages;
  }

  /** What these packets hold of the budget of all queues: the head, and attachments. */
  long heldBytes() {
    return headBytes + disk.attachments() * limits.messageHeapBytes();
  }

  /** What they hold of the heap. */
  long heapBytes() {
    return heldBytes() + headMessages * limits.messageHeapBytes();
  }

  Iterable<Packet<T>> head() {
    return head;
  }

  /** Removes a packet from memory if it is there. */
  void remove(Packet<T> packet) {
    if (head.remove(packet)) {
      left(packet);
    }
  }

  /** Gives up one message of a packet that is not in memory. */
  void purge(long sequence) {
    if (disk.deleted.add(sequence)) {
      totals.waiting--;
      totals.purged++;
    }
  }

  /** Undoes {@link #purge} if the packet is still not in memory. */
  void takeBack(long sequence) {
    if (disk.deleted.remove(sequence)) {
      totals.waiting++;
      totals.purged--;
    }
  }

  // ---- committed packets

  /**
   * Adds a packet that was just committed.
   *
   * @param unwrittenBytes size of the packets that wait to be written
   */
  void add(Packet<T> packet, long unwrittenBytes) {
    if (disk.isEmpty() && mayStay(packet.bytes, unwrittenBytes)) {
      addToHead(packet);
    } else {
      disk.add(packet);
    }
  }

  private void addToHead(Packet<T> packet) {
    head.add(packet);
    headBytes += packet.bytes;
    headMessages += packet.count;
  }

  /** A committed packet stays in memory while there is room, so that it need not be read back. */
  private boolean mayStay(int more, long unwrittenBytes) {
    return head.isEmpty()
        || headBytes + more <= limits.readAheadBytes()
        || !limits.writeThrough()
            && !limits.isScarce().getAsBoolean()
            && headBytes + unwrittenBytes + more <= limits.writePressureBytes();
  }

  // ---- reading

  /**
   * True if packets should be read now: the consumer will soon need them, or they are to be given
   * up.
   */
  boolean wantsLoad(PacketTrim<T> trim) {
    return !disk.isEmpty()
        && !disk.isLoading()
        && (trim.isOverBudget()
            || headBytes <= limits.mostAheadBytes() / 2
            || disk.fromSequence() < trim.purgeEnd());
  }

  DiskRegion.Load beginLoad() {
    return disk.beginLoad(limits.mostAheadBytes());
  }

  /**
   * Adds the packets that were read, in order.
   *
   * @param exhausted true if the disk holds no more of the packets asked for: what is missing is
   *     lost
   */
  void endLoad(DiskRegion.Load load, List<PacketLine.Loaded<T>> read, boolean exhausted) {
    disk.endLoad();
    long missingBytes = load.bytes();
    long missingMessages = load.alive();
    for (PacketLine.Loaded<T> loaded : read) {
      missingBytes -= loaded.key().bytes();
      missingMessages -= loaded.alive();
      disk.remove(loaded.key(), loaded.alive());
      SortedSet<Long> deleted = disk.takeDeleted(loaded.key().endSequence());
      totals.waiting += deleted.size();
      // Of packets that are missing before this one; they are counted when the disk is exhausted.
      loseAttachments(loaded.key().firstSequence(), Reason.STORE_FAILED);
      if (loaded.packet() == null) {
        loseRead(loaded.key().bytes(), loaded.alive(), loaded.key().endSequence(), Reason.CORRUPT);
      } else {
        arrive(loaded.packet(), loaded.alive(), deleted);
      }
    }
    if (exhausted) {
      totals.waiting += disk.takeDeleted(load.endSequence()).size();
      long missing = load.packets() - read.size();
      disk.remove(missing, missingBytes, missingMessages, load.endSequence());
      loseRead(missingBytes, missingMessages, load.endSequence(), Reason.STORE_FAILED);
    }
  }

  private void arrive(Packet<T> packet, int counted, SortedSet<Long> deleted) {
    disk.attach(packet);
    for (long sequence : deleted.tailSet(packet.firstSequence)) {
      int index = (int) (sequence - packet.firstSequence);
      packet.progressOnDisk = true;
      packet.settle(index);
      totals.lose(packet.attachment(index), Reason.PURGED);
    }
    totals.waiting += packet.unsettled() - counted;
    totals.read += packet.unsettled();
    ends.refuseBroken(packet, Reason.CORRUPT);
    if (packet.allSettled()) {
      ends.remove(packet);
    } else {
      addToHead(packet);
    }
  }

  private void loseRead(long packetBytes, long messages, long endSequence, Reason reason) {
    totals.bytes -= packetBytes;
    totals.waiting -= messages;
    totals.lost += Math.max(0, messages);
    loseAttachments(endSequence, reason);
  }

  private void loseAttachments(long endSequence, Reason reason) {
    disk.takeAttachments(endSequence).forEach(attachment -> totals.lose(attachment, reason));
  }
}
