package dev.weir.queue.line;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The packets of a queue that are on disk and not in memory. They are counted and not listed, so
 * that a long queue needs no heap. Only the attachments of their messages stay in memory.
 */
public final class DiskRegion {
  private record Held(long sequence, Object attachment) {}

  /**
   * The packets to read, from {@code fromSequence} on, and their totals. Packets from {@code
   * endSequence} on are not part of them: these may not be committed yet.
   *
   * @param alive messages to be delivered
   * @param mostBytes size of what is read at once, and of at least one packet
   */
  public record Load(
      long fromSequence, long endSequence, long packets, long bytes, long alive, long mostBytes) {}

  private final ArrayDeque<Held> held = new ArrayDeque<>();
  private long fromSequence;
  private long endSequence;
  private boolean loading;

  long packets;
  long bytes;

  /** Messages to be delivered, with those that are deleted. */
  long alive;

  /** Sequences of messages that were deleted while their packets were on disk only. */
  final NavigableSet<Long> deleted = new TreeSet<>();

  /** Starts with what was found on disk. */
  void recover(QueueRecovery found) {
    fromSequence = found.firstSequence();
    endSequence = found.endSequence();
    packets = found.packets();
    bytes = found.bytes();
    alive = found.alive();
  }

  /** A log that was rebuilt since the packets were counted may hold more of them, or fewer. */
  boolean isEmpty() {
    return packets == 0 && fromSequence >= endSequence;
  }

  /** Sequence of the first packet, or a lower one. */
  long fromSequence() {
    return fromSequence;
  }

  /** Sequence behind the last packet. */
  long endSequence() {
    return endSequence;
  }

  boolean isLoading() {
    return loading;
  }

  /** Adds a committed packet, which leaves memory. */
  void add(Packet<?> packet) {
    if (isEmpty()) {
      fromSequence = packet.firstSequence;
    }
    endSequence = packet.firstSequence + packet.count;
    packets++;
    bytes += packet.bytes;
    alive += packet.unsettled();
    for (int i = 0; packet.attachments != null && i < packet.count; i++) {
      if (packet.attachments[i] != null && !packet.isSettled(i)) {
        held.add(new Held(packet.firstSequence + i, packet.attachments[i]));
      }
    }
    packet.releaseMemory();
  }

  /** Number of the attachments in memory. */
  long attachments() {
    return held.size();
  }

  Load beginLoad(long mostBytes) {
    loading = true;
    return new Load(fromSequence, endSequence, packets, bytes, alive, mostBytes);
  }

  void endLoad() {
    loading = false;
  }

  /** Removes a packet, whether it can be read or not. */
  void remove(PacketKey key, int aliveMessages) {
    remove(1, key.bytes(), aliveMessages, key.endSequence());
  }

  /** Removes packets that were not found; less than none if more were found than counted. */
  void remove(long missing, long missingBytes, long missingMessages, long end) {
    packets -= missing;
    bytes -= missingBytes;
    alive -= missingMessages;
    fromSequence = end;
  }

  /** True if the packet of a message is one of these, or none that there is. */
  boolean holds(long sequence) {
    return packets > 0 && sequence >= fromSequence && sequence < endSequence;
  }

  /** Takes the deleted messages before a sequence. */
  SortedSet<Long> takeDeleted(long end) {
    SortedSet<Long> taken = Collections.emptySortedSet();
    if (!deleted.isEmpty()) {
      taken = new TreeSet<>(deleted.headSet(end));
      deleted.headSet(end).clear();
    }
    return taken;
  }

  /** Gives a packet that was read the attachments of its messages. */
  void attach(Packet<?> packet) {
    long end = packet.firstSequence + packet.count;
    while (!held.isEmpty() && held.peek().sequence < end) {
      Held next = held.poll();
      if (packet.attachments == null) {
        packet.attachments = new Object[packet.count];
      }
      packet.attachments[(int) (next.sequence - packet.firstSequence)] = next.attachment;
    }
  }

  /** Takes the attachments of messages before a sequence. */
  List<Object> takeAttachments(long end) {
    List<Object> taken = new ArrayList<>();
    while (!held.isEmpty() && held.peek().sequence < end) {
      taken.add(held.poll().attachment);
    }
    return taken;
  }

  /** Describes how the figures contradict each other; null if they do not. */
  String drift() {
    boolean nothing = packets == 0 && bytes == 0 && alive == 0 && held.isEmpty();
    boolean something = packets > 0 && bytes > 0 && alive >= held.size();
    return nothing || something
        ? null
        : "disk: " + packets + " packets, " + bytes + " bytes, " + alive + " alive, " + held.size();
  }
}
