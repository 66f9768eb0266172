package dev.weir.queue.line;

import dev.weir.queue.Completion;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

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
 * durability it need not be written at all then. It is {@code loose} until it is acknowledged: if
 * one of its messages is given back, or the queue is closed before, it is written after all.
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

  private final int packetBytes;
  private final long readAheadBytes;
  private final long dropAboveBytes;

  private final ArrayDeque<Packet<T>> tail = new ArrayDeque<>();
  private final DiskRegion disk = new DiskRegion();
  private final ArrayDeque<Packet<T>> head = new ArrayDeque<>();
  private final Set<Packet<T>> loose = new LinkedHashSet<>();

  /** Those of the loose packets that are to be written. */
  private final ArrayDeque<Packet<T>> returned = new ArrayDeque<>();

  private final PacketUpkeep<T> upkeep = new PacketUpkeep<>();
  private List<Lost> losses = new ArrayList<>();

  /** The packet being delivered, or null. */
  private Packet<T> current;

  private long nextSequence;
  private long headBytes;

  /** Where the ids of refused messages are forgotten. */
  public IdWindow ids = new IdWindow(0, 0);

  /** Nothing is delivered before it was written, and memory holds no more than is read ahead. */
  boolean writeThrough;

  /** So much may be ahead of the consumer on disk before writing pauses. */
  long writeAheadBytes = Long.MAX_VALUE;

  /** More than that in memory is always written, and not kept there once it is. */
  long writePressureBytes;

  /** Behind the last message that asks for durability. */
  private long durableEnd;

  /** Behind the last message to be purged. */
  private long purgeEnd;

  private boolean closing;

  long waiting;
  long unacknowledged;
  long bytes;
  long bufferedBytes;
  long appended;
  long refused;
  long dropped;
  public long purged;
  long lost;

  /**
   * @param packetBytes a packet is closed when it has as many
   * @param readAheadBytes what may be in memory ahead of the consumer
   * @param dropAboveBytes above it the oldest messages are dropped
   */
  PacketLine(int packetBytes, long readAheadBytes, long dropAboveBytes) {
    this.packetBytes = packetBytes;
    this.readAheadBytes = readAheadBytes;
    this.dropAboveBytes = dropAboveBytes;
  }

  /** Starts with what was found on disk. */
  public void recover(QueueRecovery found) {
    disk.recover(found);
    nextSequence = found.nextSequence();
    bytes = disk.bytes;
    waiting = disk.alive;
  }

  // ---- appending

  /**
   * @param options null for none
   */
  public void append(
      T message, int sizeBytes, MessageOptions options, byte flag, Object attachment) {
    Packet<T> open = tail.peekLast();
    if (open == null || open.sealed) {
      open = new Packet<>(nextSequence);
      tail.add(open);
      count(open.bytes);
    }
    int before = open.bytes;
    open.add(message, sizeBytes, options, flag, attachment);
    open.sealed = open.bytes >= packetBytes;
    count(open.bytes - before);
    nextSequence++;
    waiting++;
    appended++;
  }

  /** Asks for durability of the message appended last. */
  public void require(Durability durability, Completion completion) {
    durableEnd = nextSequence;
    tail.getLast().require(durability, completion);
  }

  /**
   * Asks for durability of a message once more, for another sender of the same.
   *
   * @return false if its packet is not waiting to be written
   */
  public boolean requireToo(
      Packet<?> packet, int index, Durability durability, Completion completion) {
    for (Packet<T> waits : tail) {
      if (waits == packet) {
        durableEnd = Math.max(durableEnd, packet.firstSequence + packet.count);
        packet.requireToo(index, durability, completion);
        return true;
      }
    }
    return false;
  }

  /** The packet of the message appended last. */
  public Packet<T> open() {
    return tail.getLast();
  }

  private void count(int added) {
    bytes += added;
    bufferedBytes += added;
  }

  // ---- writing

  public boolean hasUnwritten() {
    return !tail.isEmpty() || !returned.isEmpty();
  }

  /**
   * It is worth writing now. What asks for no durability waits while enough is on disk ahead of the
   * consumer: a consumer faster than the disk then gets to what is still in memory, instead of
   * reading back for ever what was written a moment ago.
   */
  public boolean wantsWrite() {
    return !returned.isEmpty()
        || !tail.isEmpty()
            && (closing
                || writeThrough
                || tail.peek().firstSequence < durableEnd
                || bufferedBytes > writePressureBytes
                || disk.bytes < writeAheadBytes);
  }

  /** Takes packets to write, oldest first, at least one if there is any. */
  public List<Packet<T>> beginWrite(long maxBytes) {
    List<Packet<T>> batch = new ArrayList<>();
    long rest = beginWrite(returned, maxBytes, batch);
    beginWrite(tail, rest, batch);
    return batch;
  }

  private long beginWrite(ArrayDeque<Packet<T>> from, long maxBytes, List<Packet<T>> batch) {
    long rest = maxBytes;
    for (Packet<T> packet : from) {
      if (!batch.isEmpty() && packet.bytes > rest) {
        return 0;
      }
      packet.beginWrite();
      rest -= packet.bytes;
      batch.add(packet);
    }
    return rest;
  }

  /** The packets are committed. */
  public void endWrite(List<Packet<T>> batch) {
    for (Packet<T> packet : batch) {
      packet.endWrite();
      if (packet.ids != null) {
        packet.ids.committed();
      }
      loose.remove(packet);
      boolean inTail = packet == tail.peekFirst();
      if (inTail || packet == returned.peekFirst()) {
        (inTail ? tail : returned).poll();
        bufferedBytes -= packet.bytes;
      }
      refuseBroken(packet, Reason.UNWRITABLE);
      if (packet.allSettled()) {
        remove(packet);
      } else if (inTail) {
        place(packet);
      } else {
        upkeep.progressed(packet);
      }
    }
    trim(0);
  }

  /** The packets were not committed; those nobody has taken meanwhile are written again. */
  public void abortWrite(List<Packet<T>> batch) {
    for (Packet<T> packet : batch) {
      packet.writing = false;
      if (packet.allSettled()) {
        upkeep.delete(packet);
      } else if (packet.returned) {
        giveBack(packet);
      }
    }
  }

  private void place(Packet<T> packet) {
    if (disk.isEmpty() && mayStay(packet.bytes)) {
      head.add(packet);
      headBytes += packet.bytes;
    } else {
      disk.add(packet);
    }
  }

  /** What was just written stays in memory as long as there is room: it need not be read back. */
  private boolean mayStay(int more) {
    return head.isEmpty()
        || headBytes + more <= readAheadBytes
        || !writeThrough && headBytes + bufferedBytes + more <= writePressureBytes;
  }

  /** Gives up the messages the serde failed on, unless the consumer has them already. */
  private void refuseBroken(Packet<T> packet, Reason reason) {
    if (packet.broken == null) {
      return;
    }
    for (int i = packet.next; i < packet.count; i++) {
      if (packet.broken.get(i) && packet.settle(i)) {
        waiting--;
        if (packet.completions == null || packet.completions[i] == null) {
          lost++;
        } else {
          appended--;
          refused++;
        }
        forgetId(packet, i);
        lose(packet.attachment(i), reason);
      }
    }
  }

  public PacketUpkeep<T> upkeep() {
    return upkeep;
  }

  /** Gives up the messages in memory that wait for a commit; returns whom to tell. */
  public List<Completion> failDurable() {
    List<Completion> told = new ArrayList<>();
    for (Packet<T> packet : tail) {
      if (packet.completions != null && !packet.writing) {
        failDurable(packet, told);
      }
    }
    if (!told.isEmpty()) {
      tail.removeIf(this::removeSettled);
    }
    return told;
  }

  private void failDurable(Packet<T> packet, List<Completion> told) {
    packet.sealed = true;
    for (int i = 0; i < packet.count; i++) {
      if (packet.completions[i] != null) {
        told.add(packet.completions[i]);
        packet.settle(i);
        waiting--;
        appended--;
        refused++;
        forgetId(packet, i);
      }
    }
    packet.completions = null;
    packet.durability = Durability.NONE;
  }

  private void forgetId(Packet<T> packet, int index) {
    MessageOptions its = packet.options(index);
    if (packet.ids != null && its != null && its.id() != null) {
      ids.remove(its.id(), packet);
    }
  }

  private boolean removeSettled(Packet<T> packet) {
    boolean settled = packet.allSettled() && !packet.writing;
    if (settled) {
      bufferedBytes -= packet.bytes;
      remove(packet);
    }
    return settled;
  }

  // ---- reading

  /** The consumer will soon need what is on disk, or it is to be dropped. */
  public boolean wantsLoad() {
    return !disk.isEmpty()
        && !disk.isLoading()
        && (bytes > dropAboveBytes
            || headBytes <= readAheadBytes / 2
            || disk.fromSequence() < purgeEnd);
  }

  public DiskRegion.Load beginLoad() {
    return disk.beginLoad();
  }

  /**
   * Adds what was read, in order.
   *
   * @param exhausted there was no more to read: what should have been there is lost
   */
  public void endLoad(DiskRegion.Load load, List<Loaded<T>> read, boolean exhausted) {
    disk.endLoad();
    long missingBytes = load.bytes();
    long missingMessages = load.alive();
    for (Loaded<T> loaded : read) {
      missingBytes -= loaded.key.bytes();
      missingMessages -= loaded.alive;
      disk.remove(loaded.key, loaded.alive);
      if (loaded.packet == null) {
        forget(loaded.key.bytes(), loaded.alive, loaded.key.endSequence(), Reason.CORRUPT);
      } else {
        arrive(loaded.packet, loaded.alive);
      }
    }
    long missing = load.packets() - read.size();
    if (exhausted && missing > 0) {
      disk.remove(missing, missingBytes, missingMessages, load.endSequence());
      forget(missingBytes, missingMessages, load.endSequence(), Reason.STORE_FAILED);
    }
    trim(0);
  }

  private void arrive(Packet<T> packet, int counted) {
    disk.attach(packet);
    waiting += packet.unsettled() - counted;
    refuseBroken(packet, Reason.CORRUPT);
    if (packet.allSettled()) {
      remove(packet);
    } else {
      head.add(packet);
      headBytes += packet.bytes;
    }
  }

  private void forget(long packetBytes, long messages, long endSequence, Reason reason) {
    bytes -= packetBytes;
    waiting -= messages;
    lost += messages;
    disk.takeAttachments(endSequence).forEach(attachment -> lose(attachment, reason));
  }

  public void failLoad() {
    disk.endLoad();
  }

  // ---- delivering

  /** True if {@link #poll()} has something. */
  boolean pollable() {
    if (current != null && current.next < current.count) {
      for (int i = current.next; i < current.count; i++) {
        if (!current.isSettled(i)) {
          return true;
        }
      }
    }
    return !head.isEmpty() || tailIsNext();
  }

  private boolean tailIsNext() {
    return disk.isEmpty() && !tail.isEmpty() && !writeThrough && tail.peek().deliverable();
  }

  /** Takes the next message and counts it as delivered. */
  TakenMessage<T> poll() {
    TakenMessage<T> taken = take();
    if (taken != null) {
      delivered(taken);
    }
    return taken;
  }

  /** Takes the next message, to be delivered now or later, or to leave the line. */
  TakenMessage<T> take() {
    while (current != null || advance()) {
      Packet<T> packet = current;
      while (packet.next < packet.count) {
        int index = packet.next++;
        if (!packet.isSettled(index)) {
          waiting--;
          T message = packet.take(index);
          return new TakenMessage<>(packet, index, message, packet.attachment(index));
        }
      }
      current = null;
    }
    return null;
  }

  /** Everything before this sequence has been taken, is settled or was lost. */
  public long takenBefore() {
    if (current != null) {
      return current.firstSequence + current.next;
    }
    if (!head.isEmpty()) {
      return head.peek().firstSequence;
    }
    if (!disk.isEmpty()) {
      return disk.fromSequence();
    }
    return tail.isEmpty() ? nextSequence : tail.peek().firstSequence;
  }

  private boolean advance() {
    current = head.poll();
    if (current != null) {
      headBytes -= current.bytes;
    } else if (tailIsNext()) {
      current = tail.poll();
      current.sealed = true;
      bufferedBytes -= current.bytes;
      if (current.keeps > 0) {
        loose.add(current);
      }
    }
    return current != null;
  }

  /** A message that was taken goes to the consumer. */
  void delivered(TakenMessage<T> taken) {
    unacknowledged++;
    taken.packet().delivered(taken.index());
    upkeep.progressed(taken.packet());
  }

  /** A message that was delivered is not in the consumer's hands any more, nor settled yet. */
  void takeBack() {
    unacknowledged--;
  }

  /** True if the delivery had not ended before. */
  boolean acknowledge(TakenMessage<T> delivery) {
    if (!delivery.end()) {
      return false;
    }
    unacknowledged--;
    settle(delivery.packet(), delivery.index());
    return true;
  }

  /** Ends the delivery but keeps the message, if it is to be kept at all. */
  void release(TakenMessage<T> delivery) {
    if (!delivery.end()) {
      return;
    }
    unacknowledged--;
    Packet<T> packet = delivery.packet();
    if (packet.isTransient(delivery.index())) {
      settle(packet, delivery.index());
    } else {
      giveBack(packet);
    }
  }

  /** A message that was taken is done with, or has left the line. */
  void settle(Packet<T> packet, int index) {
    packet.settle(index);
    if (packet.allSettled()) {
      remove(packet);
    } else {
      upkeep.progressed(packet);
    }
  }

  /** A loose packet has to be written after all. */
  private void giveBack(Packet<T> packet) {
    packet.returned = true;
    if (!packet.writing && loose.remove(packet)) {
      returned.add(packet);
      bufferedBytes += packet.bytes;
    }
  }

  private void remove(Packet<T> packet) {
    if (!packet.removed) {
      packet.removed = true;
      bytes -= packet.bytes;
      loose.remove(packet);
    }
    upkeep.delete(packet);
  }

  // ---- dropping

  /**
   * Drops the oldest messages nobody has taken so that there is room. What is on disk, or being
   * written, is dropped when it comes by; until then there may be a debt.
   *
   * @return false if there is not enough to drop, or the debt is too large
   */
  boolean makeRoom(long moreBytes, long maxDebtBytes) {
    if (bytes + moreBytes - dropAboveBytes > headBytes + disk.bytes + bufferedBytes) {
      return false;
    }
    trim(moreBytes);
    return bytes + moreBytes - dropAboveBytes <= maxDebtBytes;
  }

  private void trim(long moreBytes) {
    while (!head.isEmpty() && isToGo(head.peek(), moreBytes)) {
      Packet<T> packet = head.poll();
      headBytes -= packet.bytes;
      drop(packet);
    }
    while (tailIsNext() && !tail.peek().writing && isToGo(tail.peek(), moreBytes)) {
      Packet<T> packet = tail.poll();
      bufferedBytes -= packet.bytes;
      drop(packet);
    }
  }

  private boolean isToGo(Packet<T> packet, long moreBytes) {
    return packet.firstSequence < purgeEnd || bytes + moreBytes > dropAboveBytes;
  }

  private void drop(Packet<T> packet) {
    if (packet.firstSequence < purgeEnd) {
      purged += packet.unsettled();
      discard(packet, Reason.PURGED);
    } else {
      dropped += packet.unsettled();
      discard(packet, Reason.DROPPED);
    }
  }

  /**
   * Gives up all messages that wait now. Those in memory go at once, those on disk when they come
   * by, those being written when they are.
   */
  public void purge() {
    purgeEnd = nextSequence;
    if (!tail.isEmpty()) {
      tail.getLast().sealed = true;
    }
    if (current != null) {
      purgeRest(current);
      current = null;
    }
    trim(0);
  }

  private void purgeRest(Packet<T> packet) {
    for (int i = packet.next; i < packet.count; i++) {
      if (packet.settle(i)) {
        waiting--;
        purged++;
        lose(packet.attachment(i), Reason.PURGED);
      }
    }
    packet.next = packet.count;
    if (packet.allSettled()) {
      remove(packet);
    } else {
      upkeep.progressed(packet);
    }
  }

  /** Nothing of what was to be purged waits any more. */
  public boolean isPurged() {
    return takenBefore() >= purgeEnd;
  }

  private void discard(Packet<T> packet, Reason reason) {
    packet.sealed = true;
    waiting -= packet.unsettled();
    for (int i = 0; i < packet.count; i++) {
      if (packet.settle(i)) {
        lose(packet.attachment(i), reason);
      }
    }
    remove(packet);
  }

  private void lose(Object attachment, Reason reason) {
    if (attachment != null) {
      losses.add(new Lost(attachment, reason));
    }
  }

  /** Takes the attachments whose messages will not be delivered. */
  List<Lost> takeLosses() {
    if (losses.isEmpty()) {
      return List.of();
    }
    List<Lost> taken = losses;
    losses = new ArrayList<>();
    return taken;
  }

  // ---- closing

  /** What is to be kept has to be written now, the rest need not be. */
  public void beginClose() {
    closing = true;
    tail.removeIf(
        packet -> {
          boolean useless = packet.keeps == 0 && !packet.writing;
          if (useless) {
            bufferedBytes -= packet.bytes;
            discard(packet, Reason.CLOSED);
          }
          return useless;
        });
    List.copyOf(loose).forEach(this::giveBack);
  }

  /** Nothing will be delivered any more; what is attached to waiting messages is lost. */
  public void endClose() {
    if (current != null) {
      loseAttachments(current);
    }
    head.forEach(this::loseAttachments);
    disk.takeAttachments(Long.MAX_VALUE).forEach(attachment -> lose(attachment, Reason.CLOSED));
    tail.forEach(this::loseAttachments);
  }

  private void loseAttachments(Packet<T> packet) {
    for (int i = packet.next; packet.attachments != null && i < packet.count; i++) {
      if (!packet.isSettled(i)) {
        lose(packet.attachments[i], Reason.CLOSED);
      }
    }
  }

  /** Messages that wait only in memory and are to be kept. */
  public long unwrittenKept() {
    long kept = 0;
    for (Packet<T> packet : tail) {
      kept += PacketProgress.of(packet).keep();
    }
    for (Packet<T> packet : returned) {
      kept += PacketProgress.of(packet).keep();
    }
    return kept;
  }

  // ---- checking

  /**
   * Counts everything anew; for tests.
   *
   * @throws IllegalStateException if a figure has drifted
   */
  public void check() {
    Counted counted = new Counted();
    if (current != null) {
      counted.add(current);
    }
    long beforeHead = counted.bytes;
    head.forEach(counted::add);
    expect("headBytes", headBytes, counted.bytes - beforeHead);
    long beforeTail = counted.bytes;
    if (!disk.isEmpty()) {
      counted.lastSequence = disk.endSequence() - 1;
    }
    tail.forEach(counted::add);
    long returnedBytes = returned.stream().mapToLong(packet -> packet.bytes).sum();
    expect("bufferedBytes", bufferedBytes, counted.bytes - beforeTail + returnedBytes);
    expect("waiting", waiting, counted.alive + disk.alive);
    if (disk.drift() != null) {
      throw new IllegalStateException(disk.drift());
    }
    if (unacknowledged < 0 || bytes < counted.bytes + disk.bytes) {
      throw new IllegalStateException(
          "bytes " + bytes + ", counted " + (counted.bytes + disk.bytes) + ", " + unacknowledged);
    }
  }

  private static void expect(String what, long actual, long counted) {
    if (actual != counted) {
      throw new IllegalStateException(what + " is " + actual + ", counted " + counted);
    }
  }

  private static final class Counted {
    long bytes;
    long alive;
    long lastSequence = -1;

    void add(Packet<?> packet) {
      if (packet.firstSequence <= lastSequence) {
        throw new IllegalStateException("packet " + packet.firstSequence + " is out of order");
      }
      lastSequence = packet.firstSequence + packet.count - 1;
      bytes += packet.removed ? 0 : packet.bytes;
      for (int i = packet.next; i < packet.count; i++) {
        alive += packet.isSettled(i) ? 0 : 1;
      }
    }
  }
}
