package dev.weir.queue.line;

import dev.weir.queue.Completion;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueException.Reason;
import java.util.List;

/**
 * Ends the messages of packets: settles those that were handled, and gives up those that were
 * refused, dropped, purged or lost. Removes a packet when its last message ends.
 *
 * @param <T> the message type
 */
final class PacketEnds<T> {
  private final PacketTotals totals;
  private final UnwrittenPackets<T> unwritten;
  private final PacketUpkeep<T> upkeep;

  /** Ids of refused messages are removed from it. */
  private final IdWindow ids;

  PacketEnds(
      PacketTotals totals, UnwrittenPackets<T> unwritten, PacketUpkeep<T> upkeep, IdWindow ids) {
    this.totals = totals;
    this.unwritten = unwritten;
    this.upkeep = upkeep;
    this.ids = ids;
  }

  /** Settles a message that was taken. */
  void settle(Packet<T> packet, int index) {
    packet.settle(index);
    removeOrNote(packet);
  }

  void removeOrNote(Packet<T> packet) {
    if (packet.allSettled()) {
      remove(packet);
    } else {
      upkeep.progressed(packet);
    }
  }

  void remove(Packet<T> packet) {
    if (packet.finish()) {
      totals.bytes -= packet.bytes;
    }
    unwritten.forget(packet);
    upkeep.delete(packet);
  }

  /** Settles all messages of a packet that was taken out of its region. */
  void discard(Packet<T> packet, Reason reason) {
    packet.seal();
    totals.waiting -= packet.unsettled();
    for (int i = 0; i < packet.count; i++) {
      if (packet.settle(i)) {
        totals.lose(packet.attachment(i), reason);
      }
    }
    remove(packet);
  }

  /** Gives up the messages of a packet that the consumer has not reached. */
  void purgeRest(Packet<T> packet) {
    for (int i = packet.next; i < packet.count; i++) {
      purge(packet, i);
    }
    packet.next = packet.count;
    removeOrNote(packet);
  }

  /** Gives up one message that the consumer has not reached. */
  void purge(Packet<T> packet, int index) {
    if (packet.settle(index)) {
      totals.waiting--;
      totals.purged++;
      totals.lose(packet.attachment(index), Reason.PURGED);
    }
  }

  /** Gives up the messages that the serde cannot handle, unless a consumer has them already. */
  void refuseBroken(Packet<T> packet, Reason reason) {
    if (packet.broken == null) {
      return;
    }
    for (int i = packet.next; i < packet.count; i++) {
      if (packet.broken.get(i) && packet.settle(i)) {
        totals.waiting--;
        if (packet.completions == null || packet.completions[i] == null || packet.isAccepted(i)) {
          totals.lost++;
        } else {
          totals.appended--;
          totals.refused++;
        }
        forgetId(packet, i);
        totals.lose(packet.attachment(i), reason);
      }
    }
  }

  /**
   * Gives up the messages of a packet whose senders wait for a commit; adds these senders. A
   * message that another sender was told to be accepted stays.
   */
  void failDurable(Packet<T> packet, List<Completion> senders) {
    packet.seal();
    unwritten.beforeGivingUp(packet);
    for (int i = 0; i < packet.count; i++) {
      if (packet.completions[i] != null) {
        senders.add(packet.completions[i]);
        totals.refused++;
        if (!packet.isAccepted(i)) {
          packet.settle(i);
          totals.waiting--;
          totals.appended--;
          forgetId(packet, i);
        }
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

  /** Loses the attachments of the messages that the consumer has not reached. */
  void loseAttachments(Packet<T> packet) {
    for (int i = packet.next; packet.attachments != null && i < packet.count; i++) {
      if (!packet.isSettled(i)) {
        totals.lose(packet.attachments[i], Reason.CLOSED);
      }
    }
  }

  /** Removes a packet of the tail if its messages are settled; false if it stays. */
  boolean removeSettled(Packet<T> packet) {
    boolean settled = packet.allSettled() && !packet.isWriting();
    if (settled) {
      remove(packet);
    }
    return settled;
  }
}
