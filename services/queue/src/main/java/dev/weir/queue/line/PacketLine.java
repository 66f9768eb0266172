package dev.weir.queue.line;

import dev.weir.queue.Completion;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.line.QueueLimits.PacketLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * The packets of a queue in order. Messages pass three regions:
 *
 * <pre>
 *   append -> tail (memory, to be written) -> disk (only counted) -> head (memory, read ahead) -> poll
 *                      |                                               ^
 *                      +---- nothing on disk before it ---------------+
 * </pre>
 *
 * <p>A packet of the tail reaches the consumer directly if no packet is on disk before it. If the
 * packet asks for no durability, it need not be written then, see {@link UnwrittenPackets}.
 *
 * @param <T> the message type
 */
public final class PacketLine<T> {

  /** An attachment whose message will not be delivered. */
  public record Lost(Object attachment, Reason reason) {}

  /**
   * A packet that was read.
   *
   * @param alive its messages to be delivered, as {@link DiskRegion} counts them
   * @param packet null if it cannot be read
   */
  public record Loaded<T>(PacketKey key, int alive, Packet<T> packet) {}

  private final PacketTotals totals = new PacketTotals();
  final UnwrittenPackets<T> unwritten;
  private final PacketUpkeep<T> upkeep = new PacketUpkeep<>();
  final PacketEnds<T> ends;
  final ReadAhead<T> onDisk;
  final PacketTrim<T> trim;

  /** The packet being delivered, or null. */
  Packet<T> current;

  /**
   * @param ids the ids of refused messages are removed from it
   */
  PacketLine(PacketLimits limits, IdWindow ids) {
    this.unwritten = new UnwrittenPackets<>(limits, totals);
    this.ends = new PacketEnds<>(totals, unwritten, upkeep, ids);
    this.onDisk = new ReadAhead<>(limits, totals, ends);
    this.trim = new PacketTrim<>(onDisk, unwritten, ends, totals, limits.dropAboveBytes());
  }

  /** Starts with what was found on disk. */
  public void recover(QueueRecovery found) {
    onDisk.disk.recover(found);
    unwritten.nextSequence = found.nextSequence();
    totals.bytes = onDisk.disk.bytes;
    totals.waiting = onDisk.disk.alive;
  }

  // ---- figures

  PacketTotals totals() {
    return totals;
  }

  long waiting() {
    return totals.waiting;
  }

  long unacknowledged() {
    return totals.unacknowledged;
  }

  long bytes() {
    return totals.bytes;
  }

  long bufferedBytes() {
    return unwritten.bytes;
  }

  /** What the packets hold of the budget of all queues, those in memory that are on disk too. */
  public long heldBytes() {
    return unwritten.heapBytes() + onDisk.heldBytes();
  }

  long purged() {
    return totals.purged;
  }

  // ---- appending

  /**
   * Adds a message at the end.
   *
   * @param options null for none
   * @param flag 0 or {@link Packet#TRANSIENT}
   * @param attachment null for none
   */
  public void append(
      T message, int sizeBytes, MessageOptions options, byte flag, Object attachment) {
    unwritten.append(message, sizeBytes, options, flag, attachment);
    totals.waiting++;
    totals.appended++;
  }

  /** Asks for the durability of the message appended last. */
  public void require(Durability durability, Completion completion) {
    unwritten.require(durability, completion);
  }

  /** Adds a sender who waits for an earlier message, see {@link UnwrittenPackets#join}. */
  public boolean join(Packet<?> packet, int index, Durability durability, Completion completion) {
    return unwritten.join(packet, index, durability, completion);
  }

  /** The packet of the message appended last. */
  public Packet<T> open() {
    return unwritten.last();
  }

  // ---- writing

  public boolean hasUnwritten() {
    return !unwritten.isEmpty();
  }

  /**
   * True if packets should be written now. Packets without durability wait while enough is on disk
   * ahead of the consumer, which then catches up with the packets in memory. A packet with only
   * requests waits until it is full, unless the consumer needs it soon.
   */
  public boolean wantsWrite() {
    return unwritten.wantsWrite(onDisk.disk.bytes, onDisk.headBytes());
  }

  /** True if a packet waits to be written that takes no more messages. */
  public boolean hasFullPacket() {
    return unwritten.isAnyFull();
  }

  /** Takes packets to write, oldest first, at least one if there is any. */
  public List<Packet<T>> beginWrite(long maxBytes) {
    return unwritten.beginWrite(maxBytes, onDisk.disk.bytes + onDisk.headBytes());
  }

  /** Called when packets are committed. */
  public void endWrite(List<Packet<T>> batch) {
    for (Packet<T> packet : batch) {
      packet.endWrite();
      if (packet.ids != null) {
        packet.ids.committed();
      }
      boolean inTail = unwritten.written(packet);
      ends.refuseBroken(packet, Reason.UNWRITABLE);
      if (packet.allSettled()) {
        ends.remove(packet);
      } else if (inTail) {
        onDisk.add(packet, unwritten.bytes);
      } else {
        upkeep.progressed(packet);
      }
    }
    trim.trim(0);
  }

  /** Called when packets were not committed; those with unsettled messages are written again. */
  public void abortWrite(List<Packet<T>> batch) {
    for (Packet<T> packet : batch) {
      packet.abortWrite();
      if (packet.allSettled()) {
        ends.remove(packet);
      } else {
        unwritten.writeFailed(packet);
      }
    }
    trim.trim(0);
  }

  public PacketUpkeep<T> upkeep() {
    return upkeep;
  }

  /** Gives up the messages in memory that wait for a commit; returns their senders. */
  public List<Completion> failDurable() {
    List<Completion> senders = new ArrayList<>();
    unwritten.forEach(
        packet -> {
          if (packet.completions != null && !packet.isWriting()) {
            ends.failDurable(packet, senders);
          }
        });
    if (!senders.isEmpty()) {
      unwritten.removeIf(ends::removeSettled);
    }
    return senders;
  }

  // ---- reading

  /** True if packets should be read now. */
  public boolean wantsLoad() {
    return onDisk.wantsLoad(trim);
  }

  public DiskRegion.Load beginLoad() {
    return onDisk.beginLoad();
  }

  /** Adds the packets that were read, see {@link ReadAhead#endLoad}. */
  public void endLoad(DiskRegion.Load load, List<Loaded<T>> read, boolean exhausted) {
    onDisk.endLoad(load, read, exhausted);
    trim.trim(0);
  }

  /** Called when packets could not be read; they are asked for again. */
  public void failLoad() {
    onDisk.disk.endLoad();
  }

  // ---- delivering

  /** True if {@link #take()} has a message. */
  boolean pollable() {
    if (current != null) {
      for (int i = current.next; i < current.count; i++) {
        if (!current.isSettled(i)) {
          return true;
        }
      }
    }
    return onDisk.peek() != null || isTailNext();
  }

  /** A packet that a purge deletes when its write is over is not delivered before that. */
  private boolean isTailNext() {
    return onDisk.disk.isEmpty()
        && unwritten.isFirstDeliverable()
        && unwritten.first().firstSequence >= trim.purgeEnd();
  }

  /** Takes the next message, to deliver it or to defer it; null for none. */
  TakenMessage<T> take() {
    while (current != null || advance()) {
      Packet<T> packet = current;
      while (packet.next < packet.count) {
        int index = packet.next++;
        if (!packet.isSettled(index)) {
          totals.waiting--;
          Object body = packet.take(index);
          return new TakenMessage<>(packet, index, body, packet.attachment(index));
        }
      }
      current = null;
    }
    return null;
  }

  /** Every message before this sequence was taken, is settled or was lost. */
  public long takenBefore() {
    if (current != null) {
      return current.firstSequence + current.next;
    }
    if (onDisk.peek() != null) {
      return onDisk.peek().firstSequence;
    }
    if (!onDisk.disk.isEmpty()) {
      return onDisk.disk.fromSequence();
    }
    return unwritten.isTailEmpty() ? unwritten.nextSequence : unwritten.first().firstSequence;
  }

  private boolean advance() {
    current = onDisk.poll();
    if (current == null && isTailNext()) {
      current = unwritten.takeFirst();
    }
    return current != null;
  }

  /** Changes the delivery count of a message that was taken. */
  void count(TakenMessage<T> taken, int deliveries) {
    taken.packet().count(taken.index(), deliveries);
    upkeep.progressed(taken.packet());
  }

  /** Called when a delivery ends and the message is settled later. */
  void takeBack() {
    totals.unacknowledged--;
  }

  /** Ends a delivery and keeps the message for the next opening, unless it is transient. */
  void release(TakenMessage<T> delivery) {
    if (!delivery.end()) {
      return;
    }
    totals.unacknowledged--;
    Packet<T> packet = delivery.packet();
    if (packet.isTransient(delivery.index())) {
      ends.settle(packet, delivery.index());
    } else {
      unwritten.giveBack(packet);
    }
  }

  /** Settles a message that was taken. */
  void settle(Packet<T> packet, int index) {
    ends.settle(packet, index);
  }

  // ---- giving up

  /**
   * Drops the oldest waiting messages until there is room. What is on disk or being written is
   * dropped later; until then the queue is over its budget by that much.
   *
   * @return false if there is not enough to drop, or the queue would be over its budget by more
   *     than {@code maxDebtBytes}
   */
  boolean makeRoom(long moreBytes, long maxDebtBytes) {
    return trim.makeRoom(moreBytes, maxDebtBytes);
  }

  /**
   * Gives up all messages that wait now. Those in memory go at once, those on disk when they are
   * read, those being written when they are committed.
   */
  public void purge() {
    unwritten.purgeTaken();
    unwritten.sealLast();
    if (current != null) {
      ends.purgeRest(current);
      current = null;
    }
    trim.purgeBefore(unwritten.nextSequence);
  }

  /** True if no message waits that a purge is to delete, and no old record has one. */
  public boolean isPurged() {
    return takenBefore() >= trim.purgeEnd() && unwritten.hasNoStaleRecord();
  }

  /** Takes the attachments whose messages will not be delivered. */
  List<Lost> takeLosses() {
    return totals.takeLosses();
  }

  // ---- closing

  /** Begins the close: messages to be kept are to be written now, the others are given up. */
  public void beginClose() {
    unwritten.removeIf(
        packet -> {
          boolean useless = packet.keeps == 0 && !packet.isWriting();
          if (useless) {
            ends.discard(packet, Reason.CLOSED);
          }
          return useless;
        });
    unwritten.beginClose();
  }

  /** Ends the close: the attachments of waiting messages are lost. */
  public void endClose() {
    if (current != null) {
      ends.loseAttachments(current);
    }
    onDisk.head().forEach(ends::loseAttachments);
    onDisk
        .disk
        .takeAttachments(Long.MAX_VALUE)
        .forEach(attachment -> totals.lose(attachment, Reason.CLOSED));
    unwritten.forEach(ends::loseAttachments);
  }

  /** Number of messages that are to be kept and are in memory only. */
  public long unwrittenKept() {
    long[] kept = new long[1];
    unwritten.forEach(packet -> kept[0] += PacketProgress.of(packet).keep());
    unwritten.forEachReturned(packet -> kept[0] += PacketProgress.of(packet).keep());
    return kept[0];
  }

  // ---- checking

  /**
   * Counts everything anew; for tests.
   *
   * @throws IllegalStateException if a figure has drifted
   */
  public void check() {
    new PacketLineCheck().run(current, onDisk, unwritten, totals);
  }
}
