package dev.weir.queue.line;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The packets of a queue that are on disk and not in memory: counted, not listed, so that a long
 * queue needs no heap. Only what is attached to their messages is held.
 */
public final class DiskRegion {
  private record Held(long sequence, Object attachment) {}

  /**
   * Where to read, and what should be there. Packets from {@code endSequence} on may not be
   * committed yet.
   */
  public record Load(long fromSequence, long endSequence, long packets, long bytes, long alive) {}

  private final ArrayDeque<Held> held = new ArrayDeque<>();
  private long fromSequence;
  private long endSequence;
  private boolean loading;

  long packets;
  long bytes;

  /** Messages to be delivered. */
  long alive;

  /** Starts with what was found on disk. */
  void recover(QueueRecovery found) {
    fromSequence = found.firstSequence();
    endSequence = found.endSequence();
    packets = found.packets();
    bytes = found.bytes();
    alive = found.alive();
  }

  boolean isEmpty() {
    return packets == 0;
  }

  /** Where the first packet is, or behind it. */
  long fromSequence() {
    return fromSequence;
  }

  /** Behind the last packet. */
  long endSequence() {
    return endSequence;
  }

  boolean isLoading() {
    return loading;
  }

  /** A packet that was written goes out of memory. */
  void add(Packet<?> packet) {
    if (packets == 0) {
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

  Load beginLoad() {
    loading = true;
    return new Load(fromSequence, endSequence, packets, bytes, alive);
  }

  void endLoad() {
    loading = false;
  }

  /** A packet leaves, read or not. */
  void remove(PacketKey key, int aliveMessages) {
    remove(1, key.bytes(), aliveMessages, key.endSequence());
  }

  /** Packets that should have been read are not there. */
  void remove(long missing, long missingBytes, long missingMessages, long end) {
    packets -= missing;
    bytes -= missingBytes;
    alive -= missingMessages;
    fromSequence = end;
  }

  /** Gives a packet that was read what was attached to its messages. */
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

  /** Takes what is attached to messages before a sequence; they cannot be read. */
  List<Object> takeAttachments(long end) {
    List<Object> taken = new ArrayList<>();
    while (!held.isEmpty() && held.peek().sequence < end) {
      taken.add(held.poll().attachment);
    }
    return taken;
  }

  /** Why the figures contradict each other, or null. */
  String drift() {
    boolean nothing = packets == 0 && bytes == 0 && alive == 0 && held.isEmpty();
    boolean something = packets > 0 && bytes > 0 && alive >= held.size();
    return nothing || something
        ? null
        : "disk: " + packets + " packets, " + bytes + " bytes, " + alive + " alive, " + held.size();
  }
}
