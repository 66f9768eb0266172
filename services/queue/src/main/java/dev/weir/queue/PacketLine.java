package dev.weir.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of a queue, without locks, threads or files. Messages pass three regions:
 *
 * <pre>
 *   append -> tail (memory, to be written) -> disk (only counted) -> head (memory, read ahead) -> poll
 *                      |                                               ^
 *                      +---- nothing on disk before it ---------------+
 * </pre>
 *
 * A tail packet reaches the consumer directly when nothing is before it on disk; if it asks for no
 * durability it need not be written at all then.
 *
 * @param <T> the message type
 */
final class PacketLine<T> {
  /** What was attached to a message whose packet is only on disk. */
  private record Held(long sequence, Object attachment) {}

  private final int packetBytes;
  private final long readAheadBytes;

  private final ArrayDeque<Packet<T>> tail = new ArrayDeque<>();
  private final ArrayDeque<Packet<T>> head = new ArrayDeque<>();
  private final ArrayDeque<Held> held = new ArrayDeque<>();
  private final ArrayList<Packet<T>> deletes = new ArrayList<>();
  private final ArrayList<Packet<T>> dirty = new ArrayList<>();
  private final ArrayList<Object> lost = new ArrayList<>();

  /** The packet being delivered, or null. */
  private Packet<T> current;

  private long nextSequence;
  private long headBytes;
  private long diskPackets;
  private long diskFrom;
  private boolean loading;
  private long dropDeficitBytes;

  long waiting;
  long unacknowledged;
  long bytes;
  long bufferedBytes;
  long dropped;

  PacketLine(int packetBytes, long readAheadBytes) {
    this.packetBytes = packetBytes;
    this.readAheadBytes = readAheadBytes;
  }

  // ---- opening

  /** Starts with what was found on disk. */
  void recover(QueueRecovery found) {
    nextSequence = found.nextSequence();
    diskFrom = found.firstSequence();
    diskPackets = found.packets();
    bytes = found.bytes();
    waiting = found.alive();
  }

  // ---- appending

  void append(T message, int sizeBytes, byte flag, Object attachment) {
    Packet<T> open = tail.peekLast();
    if (open == null || open.sealed) {
      open = new Packet<>(nextSequence);
      tail.add(open);
      count(open.bytes);
    }
    int before = open.bytes;
    open.add(message, sizeBytes, flag, attachment);
    open.sealed = open.bytes >= packetBytes;
    count(open.bytes - before);
    nextSequence++;
    waiting++;
  }

  void require(Durability durability, Completion completion) {
    tail.getLast().require(durability, completion);
  }

  private void count(int added) {
    bytes += added;
    bufferedBytes += added;
  }

  // ---- writing

  boolean hasUnwritten() {
    return !tail.isEmpty();
  }

  /** Takes packets to write, oldest first, at least one if there is any. */
  List<Packet<T>> beginWrite(long maxBytes) {
    List<Packet<T>> batch = new ArrayList<>();
    long size = 0;
    for (Packet<T> packet : tail) {
      if (!batch.isEmpty() && size + packet.bytes > maxBytes) {
        break;
      }
      packet.beginWrite();
      size += packet.bytes;
      batch.add(packet);
    }
    return batch;
  }

  /** The packets are committed. */
  void endWrite(List<Packet<T>> batch) {
    for (Packet<T> packet : batch) {
      packet.endWrite();
      if (packet == tail.peekFirst()) {
        tail.poll();
        bufferedBytes -= packet.bytes;
        place(packet);
      } else if (packet.allSettled()) {
        deletes.add(packet);
      } else {
        markDirty(packet);
      }
    }
  }

  /** The packets were not committed; they wait to be written again. */
  void abortWrite(List<Packet<T>> batch) {
    for (Packet<T> packet : batch) {
      packet.writing = false;
    }
  }

  private void place(Packet<T> packet) {
    if (packet.allSettled()) {
      remove(packet);
    } else if (diskPackets == 0 && roomAhead(packet.bytes)) {
      head.add(packet);
      headBytes += packet.bytes;
    } else {
      if (diskPackets == 0) {
        diskFrom = packet.firstSequence;
      }
      diskPackets++;
      hold(packet);
      packet.releaseMemory();
    }
  }

  private boolean roomAhead(int more) {
    return head.isEmpty() || headBytes + more <= readAheadBytes;
  }

  private void hold(Packet<T> packet) {
    if (packet.attachments != null) {
      for (int i = 0; i < packet.count; i++) {
        if (packet.attachments[i] != null && !packet.isSettled(i)) {
          held.add(new Held(packet.firstSequence + i, packet.attachments[i]));
        }
      }
    }
  }

  /** Takes what is to be deleted from disk. */
  List<Packet<T>> takeDeletes() {
    List<Packet<T>> taken = new ArrayList<>(deletes);
    deletes.clear();
    return taken;
  }

  void returnDeletes(List<Packet<T>> packets) {
    deletes.addAll(packets);
  }

  boolean hasDeletes() {
    return !deletes.isEmpty();
  }

  /** Takes the packets on disk whose messages were delivered or settled in part. */
  List<Packet<T>> takeDirty() {
    List<Packet<T>> taken = new ArrayList<>();
    for (Packet<T> packet : dirty) {
      packet.dirty = false;
      if (!packet.allSettled()) {
        taken.add(packet);
      }
    }
    dirty.clear();
    return taken;
  }

  void returnDirty(List<Packet<T>> packets) {
    packets.forEach(this::markDirty);
  }

  boolean hasDirty() {
    return !dirty.isEmpty();
  }

  private void markDirty(Packet<T> packet) {
    if (packet.onDisk() && !packet.dirty) {
      packet.dirty = true;
      dirty.add(packet);
    }
  }

  /** Gives up the messages in memory that wait for a commit; returns whom to tell. */
  List<Completion> failDurable() {
    List<Completion> told = new ArrayList<>();
    for (Packet<T> packet : tail) {
      if (packet.completions != null && !packet.writing) {
        failDurable(packet, told);
      }
    }
    tail.removeIf(
        packet -> {
          boolean empty = !packet.writing && packet.allSettled();
          if (empty) {
            bufferedBytes -= packet.bytes;
            packet.endWrite();
            remove(packet);
          }
          return empty;
        });
    return told;
  }

  private void failDurable(Packet<T> packet, List<Completion> told) {
    packet.sealed = true;
    for (int i = 0; i < packet.count; i++) {
      if (packet.completions[i] != null) {
        told.add(packet.completions[i]);
        packet.completions[i] = null;
        packet.settle(i);
        packet.messages[i] = null;
        waiting--;
      }
    }
    packet.completions = null;
    packet.durability = Durability.NONE;
  }

  // ---- reading

  /** The consumer will soon need what is on disk. */
  boolean wantsLoad() {
    return diskPackets > 0 && !loading && (dropDeficitBytes > 0 || headBytes <= readAheadBytes / 2);
  }

  /**
   * Where to read.
   *
   * @param fromSequence the sequence to read from
   * @param packets how many packets are there; what is behind them is not committed
   */
  record Load(long fromSequence, long packets) {}

  Load beginLoad() {
    loading = true;
    return new Load(diskFrom, diskPackets);
  }

  /** Adds what was read, in order. */
  void endLoad(List<Packet<T>> packets) {
    loading = false;
    for (Packet<T> packet : packets) {
      diskPackets--;
      diskFrom = packet.firstSequence + packet.count;
      attach(packet);
      if (packet.allSettled()) {
        remove(packet);
      } else {
        head.add(packet);
        headBytes += packet.bytes;
      }
    }
    dropDeficit();
  }

  void failLoad() {
    loading = false;
  }

  /** A packet that cannot be read: its messages are lost; returns what was attached to them. */
  List<Object> skip(PacketKey key, int alive) {
    List<Object> attachments = new ArrayList<>();
    diskPackets--;
    diskFrom = key.endSequence();
    bytes -= key.bytes();
    waiting -= alive;
    while (!held.isEmpty() && held.peek().sequence < key.endSequence()) {
      attachments.add(held.poll().attachment);
    }
    return attachments;
  }

  private void attach(Packet<T> packet) {
    long end = packet.firstSequence + packet.count;
    while (!held.isEmpty() && held.peek().sequence < end) {
      Held next = held.poll();
      if (packet.attachments == null) {
        packet.attachments = new Object[packet.count];
      }
      packet.attachments[(int) (next.sequence - packet.firstSequence)] = next.attachment;
    }
  }

  // ---- delivering

  Delivery<T> poll() {
    while (current != null || advance()) {
      Packet<T> packet = current;
      while (packet.next < packet.count) {
        int index = packet.next++;
        if (!packet.isSettled(index)) {
          return deliver(packet, index);
        }
      }
      current = null;
    }
    return null;
  }

  private boolean advance() {
    current = head.poll();
    if (current != null) {
      headBytes -= current.bytes;
    } else if (diskPackets == 0 && !tail.isEmpty() && tail.peek().deliverable()) {
      current = tail.poll();
      current.sealed = true;
      bufferedBytes -= current.bytes;
    }
    return current != null;
  }

  private Delivery<T> deliver(Packet<T> packet, int index) {
    packet.countDelivery(index);
    markDirty(packet);
    waiting--;
    unacknowledged++;
    Delivery<T> delivery =
        new Delivery<>(packet, index, packet.message(index), packet.attachment(index));
    if (!packet.writing) {
      packet.messages[index] = null;
    }
    return delivery;
  }

  /** True if it was the first time. */
  boolean acknowledge(Delivery<T> delivery) {
    if (!delivery.end()) {
      return false;
    }
    Packet<T> packet = delivery.packet();
    packet.settle(delivery.index());
    unacknowledged--;
    if (packet.allSettled()) {
      remove(packet);
    } else {
      markDirty(packet);
    }
    return true;
  }

  /** Ends the delivery but keeps the message, if it is on disk. */
  void release(Delivery<T> delivery) {
    Packet<T> packet = delivery.packet();
    if (packet.onDisk() || packet.writing) {
      if (delivery.end()) {
        unacknowledged--;
      }
    } else {
      acknowledge(delivery);
    }
  }

  private void remove(Packet<T> packet) {
    bytes -= packet.bytes;
    if (packet.onDisk() && !packet.writing) {
      deletes.add(packet);
    }
  }

  // ---- dropping

  /**
   * Drops the oldest messages nobody has taken until so many bytes are free; what is only on disk
   * is read first and dropped when it comes.
   *
   * @return false if there is not enough to drop
   */
  boolean dropOldest(long freeBytes) {
    if (bytes - (current == null ? 0 : current.bytes) < freeBytes && diskPackets == 0) {
      return false;
    }
    dropDeficitBytes += freeBytes;
    dropDeficit();
    return dropDeficitBytes == 0 || diskPackets > 0;
  }

  /** Takes what was attached to dropped messages. */
  List<Object> takeLost() {
    if (lost.isEmpty()) {
      return List.of();
    }
    List<Object> taken = new ArrayList<>(lost);
    lost.clear();
    return taken;
  }

  private void dropDeficit() {
    while (dropDeficitBytes > 0 && !head.isEmpty()) {
      Packet<T> packet = head.poll();
      headBytes -= packet.bytes;
      dropDeficitBytes = Math.max(0, dropDeficitBytes - packet.bytes);
      drop(packet);
    }
    while (dropDeficitBytes > 0 && diskPackets == 0 && droppable(tail.peek())) {
      Packet<T> packet = tail.poll();
      packet.sealed = true;
      bufferedBytes -= packet.bytes;
      dropDeficitBytes = Math.max(0, dropDeficitBytes - packet.bytes);
      drop(packet);
    }
    if (diskPackets == 0) {
      dropDeficitBytes = 0;
    }
  }

  private boolean droppable(Packet<T> packet) {
    return packet != null && packet.deliverable() && !packet.writing;
  }

  private void drop(Packet<T> packet) {
    for (int i = packet.next; i < packet.count; i++) {
      if (packet.settle(i)) {
        waiting--;
        dropped++;
        if (packet.attachment(i) != null) {
          lost.add(packet.attachment(i));
        }
      }
    }
    remove(packet);
  }

  /** Everything attached to messages that were not delivered, when the queue is closed. */
  List<Object> attachments() {
    List<Object> all = new ArrayList<>();
    if (current != null) {
      collect(current, all);
    }
    head.forEach(packet -> collect(packet, all));
    held.forEach(entry -> all.add(entry.attachment));
    tail.forEach(packet -> collect(packet, all));
    return all;
  }

  private static void collect(Packet<?> packet, List<Object> all) {
    for (int i = packet.next; packet.attachments != null && i < packet.count; i++) {
      if (packet.attachments[i] != null && !packet.isSettled(i)) {
        all.add(packet.attachments[i]);
      }
    }
  }
}
