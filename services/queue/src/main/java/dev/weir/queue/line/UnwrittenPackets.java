package dev.weir.queue.line;

import dev.weir.queue.Completion;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.line.QueueLimits.PacketLimits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The packets of a queue that are not on disk: those that wait in order (the tail), and those that
 * a consumer took before they were written. A packet of the second kind is written only if a
 * message of it is given back, or if the queue is closed before its messages are settled.
 *
 * @param <T> the message type
 */
final class UnwrittenPackets<T> {
  private final PacketLimits limits;
  private final PacketTotals totals;
  private final ArrayDeque<Packet<T>> tail = new ArrayDeque<>();

  /** Packets that were taken, with messages that are to be kept and not settled. */
  private final Set<Packet<T>> taken = new LinkedHashSet<>();

  /** Packets that were taken and are to be written. */
  private final ArrayDeque<Packet<T>> returned = new ArrayDeque<>();

  /** Packets whose records may have messages that were given up. */
  private final Set<Packet<T>> stale = new HashSet<>();

  /** Behind the last message that asks for durability. */
  private long durableEnd;

  /** Behind the last packet of the tail whose write has begun; 0 if none is written. */
  private long writingEnd;

  private boolean closing;

  /** Size of the packets that wait to be written. */
  long bytes;

  /** Number of their messages. */
  long messages;

  long nextSequence;

  UnwrittenPackets(PacketLimits limits, PacketTotals totals) {
    this.limits = limits;
    this.totals = totals;
  }

  // ---- appending

  void append(T message, int sizeBytes, MessageOptions options, byte flag, Object attachment) {
    Packet<T> open = tail.peekLast();
    if (open == null || !open.isOpen()) {
      open = new Packet<>(nextSequence);
      tail.add(open);
      count(open.bytes);
    }
    int before = open.bytes;
    open.add(message, sizeBytes, options, flag, attachment);
    if (limits.isFull(open.bytes, open.count)) {
      open.seal();
    }
    count(open.bytes - before);
    messages++;
    nextSequence++;
  }

  private void count(int added) {
    bytes += added;
    totals.bytes += added;
  }

  /** Asks for the durability of the message appended last. */
  void require(Durability durability, Completion completion) {
    durableEnd = nextSequence;
    tail.getLast().require(durability, completion);
  }

  /**
   * Adds a sender who waits for a message.
   *
   * @return false if the packet is being written, perhaps less safely than asked, or if the packet
   *     was taken; a packet that was taken is written from now on
   */
  boolean join(Packet<?> packet, int index, Durability durability, Completion completion) {
    if (packet.isWriting()) {
      return false;
    }
    for (Packet<T> waits : tail) {
      if (waits == packet) {
        durableEnd = Math.max(durableEnd, packet.firstSequence + packet.count);
        packet.join(index, durability, completion);
        return true;
      }
    }
    for (Packet<T> was : List.copyOf(taken)) {
      if (was == packet) {
        giveBack(was);
      }
    }
    return false;
  }

  // ---- the tail

  boolean isTailEmpty() {
    return tail.isEmpty();
  }

  /** The first packet of the tail, or null. */
  Packet<T> first() {
    return tail.peek();
  }

  /** The packet of the message appended last. */
  Packet<T> last() {
    return tail.getLast();
  }

  /** True if the first packet may be delivered without a write. */
  boolean isFirstDeliverable() {
    return !tail.isEmpty() && !limits.writeThrough() && tail.peek().deliverable();
  }

  /** The packet of the tail with a message, or null. */
  Packet<T> find(long sequence) {
    return tail.stream().filter(packet -> packet.holds(sequence)).findFirst().orElse(null);
  }

  /** Removes the first packet from the tail. */
  Packet<T> pollFirst() {
    Packet<T> first = tail.poll();
    left(first);
    return first;
  }

  /** Takes the first packet for the consumer. */
  Packet<T> takeFirst() {
    Packet<T> first = pollFirst();
    first.seal();
    if (first.keeps > 0) {
      taken.add(first);
    }
    if (stale.contains(first)) {
      giveBack(first);
    }
    return first;
  }

  void sealLast() {
    if (!tail.isEmpty()) {
      tail.getLast().seal();
    }
  }

  /** Removes packets from the tail. */
  void removeIf(Predicate<Packet<T>> condition) {
    tail.removeIf(
        packet -> {
          boolean removed = condition.test(packet);
          if (removed) {
            left(packet);
          }
          return removed;
        });
  }

  void forEach(Consumer<Packet<T>> action) {
    tail.forEach(action);
  }

  void forEachReturned(Consumer<Packet<T>> action) {
    returned.forEach(action);
  }

  // ---- packets that were taken

  /** Has a packet written whose messages were taken, if it is not on disk. */
  void giveBack(Packet<T> packet) {
    packet.returned = true;
    if (!packet.isWriting() && taken.remove(packet)) {
      returned.add(packet);
      bytes += packet.bytes;
      messages += packet.count;
    }
  }

  /** Called before a purge gives up messages of packets that were taken. */
  void purgeTaken() {
    List.copyOf(taken).forEach(this::beforeGivingUp);
    returned.forEach(this::beforeGivingUp);
  }

  /**
   * Called before messages of a packet are purged or refused. If a write of the packet runs or has
   * failed, its record may keep the messages: the packet is then written anew, unless all of it is
   * settled first.
   */
  void beforeGivingUp(Packet<T> packet) {
    if (packet.onDisk() || packet.keeps == 0 || !packet.mayHaveRecord()) {
      return;
    }
    stale.add(packet);
    if (tail.contains(packet)) {
      durableEnd = Math.max(durableEnd, packet.firstSequence + packet.count);
    } else {
      giveBack(packet);
    }
  }

  /** True if no packet here may have a record with messages that were given up. */
  boolean hasNoStaleRecord() {
    return stale.isEmpty();
  }

  /** Forgets a packet whose messages are all settled. */
  void forget(Packet<T> packet) {
    taken.remove(packet);
    if (!packet.isWriting()) {
      stale.remove(packet);
    }
    if (packet.returned && !packet.isWriting() && returned.remove(packet)) {
      left(packet);
    }
  }

  private void left(Packet<T> packet) {
    bytes -= packet.bytes;
    messages -= packet.count;
  }

  /** What the packets that wait to be written hold of the heap. */
  long heapBytes() {
    return bytes + messages * limits.messageHeapBytes();
  }

  /** What is to be kept must be written from now on, because the queue is being closed. */
  void beginClose() {
    closing = true;
    List.copyOf(taken).forEach(this::giveBack);
  }

  // ---- writing

  boolean isEmpty() {
    return tail.isEmpty() && returned.isEmpty();
  }

  /**
   * See {@link PacketLine#wantsWrite}.
   *
   * @param diskBytes size of the packets that are on disk only
   * @param headBytes size of the packets that are on disk and in memory
   */
  boolean wantsWrite(long diskBytes, long headBytes) {
    if (isAnyToWrite(returned)) {
      return true;
    }
    if (!isAnyToWrite(tail)) {
      return false;
    }
    if (closing
        || firstToWrite() < durableEnd
        || bytes > limits.writePressureBytes()
        || limits.isScarce().getAsBoolean()) {
      return true;
    }
    return (limits.writeThrough() || diskBytes < limits.writeAheadBytes())
        && (isAnyFull() || !mayGrow(tail.peekLast(), diskBytes + headBytes));
  }

  /** Packets are written in order: while the last one waits, there is something to write. */
  private static boolean isAnyToWrite(ArrayDeque<? extends Packet<?>> packets) {
    return !packets.isEmpty() && !packets.peekLast().isWriting();
  }

  /** Sequence of the first packet of the tail that waits for its write. */
  private long firstToWrite() {
    return Math.max(tail.peek().firstSequence, writingEnd);
  }

  /** True if a packet waits for its write that takes no more messages. */
  boolean isAnyFull() {
    Packet<T> last = tail.peekLast();
    return last != null
        && !last.isWriting()
        && (!last.isOpen() || firstToWrite() < last.firstSequence);
  }

  /**
   * True if a packet is not written yet because it is not full: it has only requests, which are of
   * no use after a restart, and the consumer has enough to do before it comes to them. Many small
   * packets cost more than few large ones.
   */
  private boolean mayGrow(Packet<T> packet, long aheadBytes) {
    return packet.isOpen()
        && packet.keeps == 0
        && !closing
        && aheadBytes > limits.enoughAheadBytes();
  }

  /**
   * Takes packets to write, oldest first, without those that are being written.
   *
   * @param bytesAhead size of the packets that are on disk
   */
  List<Packet<T>> beginWrite(long maxBytes, long bytesAhead) {
    List<Packet<T>> batch = new ArrayList<>();
    long rest = beginWrite(returned, maxBytes, Long.MIN_VALUE, batch);
    beginWrite(tail, rest, bytesAhead, batch);
    return batch;
  }

  private long beginWrite(
      ArrayDeque<Packet<T>> from, long maxBytes, long bytesAhead, List<Packet<T>> batch) {
    long rest = maxBytes;
    for (Packet<T> packet : from) {
      if (packet.isWriting()) {
        continue;
      }
      if (!batch.isEmpty()
          && (packet.bytes > rest || mayGrow(packet, bytesAhead + maxBytes - rest))) {
        return 0;
      }
      packet.beginWrite();
      rest -= packet.bytes;
      batch.add(packet);
      writingEnd = from == tail ? packet.firstSequence + packet.count : writingEnd;
    }
    return rest;
  }

  /** Removes a committed packet; true if it was in the tail. */
  boolean written(Packet<T> packet) {
    taken.remove(packet);
    stale.remove(packet);
    boolean inTail = packet == tail.peekFirst();
    if (inTail || packet == returned.peekFirst()) {
      (inTail ? tail : returned).poll();
      left(packet);
    }
    return inTail;
  }

  /**
   * Takes back a packet whose write failed and whose messages are not all settled. All writes that
   * began later fail too.
   */
  void writeFailed(Packet<T> packet) {
    writingEnd = 0;
    if (packet.returned) {
      giveBack(packet);
    }
  }
}
