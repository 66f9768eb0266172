package dev.weir.queue.line;

import dev.weir.queue.MessageOptions;
import dev.weir.queue.WaitingMessage;
import dev.weir.queue.WaitingMessage.State;
import dev.weir.queue.line.DetachedMessage.RawBody;
import java.util.List;
import java.util.function.Consumer;

/**
 * The waiting messages of a queue as people see them: shows those in memory, says which records on
 * disk hold others, and gives up one. Guarded by the queue's lock.
 *
 * @param <T> the message type
 */
public final class WaitingView<T> {

  /** What became of a message that was to be given up. */
  public enum Result {
    /** It is given up; the upkeep deletes it from disk. */
    GIVEN_UP,
    /** It is being written, or its sender waits for that: to be repeated. */
    BEING_WRITTEN,
    /** It is not in memory, and in no packet that is. */
    ABSENT
  }

  private final Dispatcher<T> dispatcher;
  private final PacketLine<T> packets;
  private final DeferredMessages<T> deferred;

  public WaitingView(Dispatcher<T> dispatcher) {
    this.dispatcher = dispatcher;
    this.packets = dispatcher.packets;
    this.deferred = dispatcher.deferred;
  }

  // ---- packets on disk

  /** Sequence from which messages of packets wait. */
  public long firstInPackets() {
    return Math.max(packets.takenBefore(), packets.trim.purgeEnd());
  }

  /** Sequence behind the last packet that is committed. */
  public long endOfPacketsOnDisk() {
    UnwrittenPackets<T> unwritten = packets.unwritten;
    return unwritten.isTailEmpty() ? unwritten.nextSequence : unwritten.first().firstSequence;
  }

  /** True if a message is in a packet that is not in memory, or in none. */
  public boolean isOnlyOnDisk(long sequence) {
    return packets.onDisk.disk.holds(sequence);
  }

  /** A message of a packet. */
  public WaitingMessage<T> inPacket(Packet<T> packet, int index, long writtenAtMs, long nowMs) {
    Object body = packet.messages[index];
    MessageOptions options = orNone(packet.options(index));
    boolean early = dispatcher.isEarly(packet.firstSequence + index, options, nowMs);
    return new WaitingMessage<>(
        packet.firstSequence + index,
        early ? State.SCHEDULED : State.WAITING,
        body instanceof RawBody ? null : packet.message(index),
        packet.sizes[index],
        options,
        packet.isTransient(index),
        packet.deliveries(index),
        0,
        "",
        writtenAtMs,
        early ? options.notBeforeMs() : 0);
  }

  // ---- messages beside the packets on disk

  /** True if the record of a message holds a waiting message that is not in memory. */
  public boolean isUnread(DeferredKey key) {
    if (key.isDue()) {
      return !deferred.delayed.isBeforeReader(key);
    }
    KeyQueue<T> keyQueue = deferred.keys.byId.get(key.lane());
    return keyQueue != null && key.number() > keyQueue.loadedNumber;
  }

  /** A message with a record of its own. */
  public static <T> WaitingMessage<T> besidePackets(
      DetachedMessage<T> message, DeferredKey key, long nowMs) {
    boolean early = key.isDue() && key.order() > nowMs;
    State state = early ? State.SCHEDULED : key.isDue() ? State.WAITING : State.BLOCKED;
    return detached(message, state, early ? key.order() : 0);
  }

  private static <T> WaitingMessage<T> detached(
      DetachedMessage<T> message, State state, long dueAtMs) {
    return new WaitingMessage<>(
        message.sequence,
        state,
        message.message,
        message.sizeBytes,
        orNone(message.options),
        message.isTransient,
        message.deliveries,
        message.failures,
        message.reason,
        0,
        dueAtMs);
  }

  private static MessageOptions orNone(MessageOptions options) {
    return options == null ? MessageOptions.NONE : options;
  }

  // ---- in memory

  /** Shows the messages that are in memory and in no packet on disk, in any order. */
  public void forEach(long nowMs, Consumer<WaitingMessage<T>> each) {
    Packet<T> current = packets.current;
    if (current != null && !current.onDisk()) {
      inPacket(current, nowMs, each);
    }
    packets.unwritten.forEach(packet -> inPacket(packet, nowMs, each));
    deferred.delayed.ready.forEach(message -> each.accept(taken(message, State.WAITING)));
    for (KeyQueue<T> keyQueue : deferred.keys.byId.values()) {
      keyQueue.window.forEach(message -> each.accept(taken(message, State.BLOCKED)));
    }
    for (DetachedMove<T> move : deferred.records.moves) {
      if (move.to != null) {
        each.accept(besidePackets(move.message, move.to, nowMs));
      }
    }
  }

  private void inPacket(Packet<T> packet, long nowMs, Consumer<WaitingMessage<T>> each) {
    for (int i = packet.next; i < packet.count; i++) {
      if (!packet.isSettled(i) && packet.firstSequence >= packets.trim.purgeEnd()) {
        each.accept(inPacket(packet, i, 0, nowMs));
      }
    }
  }

  private WaitingMessage<T> taken(TakenMessage<T> message, State state) {
    if (message.detached() != null) {
      return detached(message.detached(), state, 0);
    }
    return new WaitingMessage<>(
        message.sequence(),
        state,
        message.body() instanceof RawBody ? null : message.message(),
        message.sizeBytes(),
        message.messageOptions(),
        message.isTransient(),
        message.deliveryCount(),
        0,
        "",
        0,
        0);
  }

  // ---- giving up

  /** Gives up a waiting message that is in memory. */
  public Result giveUp(long sequence) {
    List<TakenMessage<T>> taken = deferred.purge().take(sequence);
    if (!taken.isEmpty()) {
      for (TakenMessage<T> message : taken) {
        if (message.packet() != null) {
          packets.unwritten.beforeGivingUp(message.packet());
        }
      }
      dispatcher.settleAll(taken);
      return Result.GIVEN_UP;
    }
    Packet<T> packet = inMemory(sequence);
    int index = packet == null ? 0 : (int) (sequence - packet.firstSequence);
    if (packet == null || index < packet.next || packet.isSettled(index)) {
      return Result.ABSENT;
    }
    if (packet.isWriting() || !packet.deliverable()) {
      return Result.BEING_WRITTEN;
    }
    packet.seal();
    packets.unwritten.beforeGivingUp(packet);
    packets.ends.purge(packet, index);
    if (packet.allSettled()) {
      packets.onDisk.remove(packet);
      packets.unwritten.removeIf(each -> each == packet);
    }
    packets.ends.removeOrNote(packet);
    return Result.GIVEN_UP;
  }

  /** The packet of a message if the packet is in memory; null if not. */
  private Packet<T> inMemory(long sequence) {
    if (packets.current != null && packets.current.holds(sequence)) {
      return packets.current;
    }
    for (Packet<T> packet : packets.onDisk.head()) {
      if (packet.holds(sequence)) {
        return packet;
      }
    }
    return packets.unwritten.find(sequence);
  }

  /** Gives up a message whose packet is not in memory, before its record says so. */
  public Result giveUpOnDisk(long sequence) {
    if (!isOnlyOnDisk(sequence)) {
      return Result.ABSENT;
    }
    packets.onDisk.purge(sequence);
    return Result.GIVEN_UP;
  }

  /**
   * Called when the record of a message that was given up could not be changed. If the packet was
   * read meanwhile, the message stays given up; it may come after a restart.
   */
  public void takeBackOnDisk(long sequence) {
    packets.onDisk.takeBack(sequence);
  }

  /** Gives up a message whose record was deleted before it was read. */
  public void giveUp(DeferredKey deleted) {
    deferred.purge().deleted(deleted);
  }
}
