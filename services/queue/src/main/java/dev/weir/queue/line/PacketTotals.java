package dev.weir.queue.line;

import dev.weir.queue.QueueException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Figures of the packets of a queue, and the attachments of messages that will not be delivered.
 */
final class PacketTotals {
  /** Messages that were not taken. */
  long waiting;

  /** Messages that were delivered and whose delivery has not ended. */
  long unacknowledged;

  /** Size of all packets with unsettled messages. */
  long bytes;

  /** Size of the messages beside the packets, which count against the budget too. */
  LongSupplier besideBytes = () -> 0;

  /** Messages appended since the opening. */
  long appended;

  /** Messages whose sender was told that the append failed. */
  long refused;

  /** Messages read from disk to be delivered. */
  long read;

  long dropped;
  long purged;

  /** Messages that could not be written or read. */
  long lost;

  private List<PacketLine.Lost> losses = new ArrayList<>();

  void lose(Object attachment, Reason reason) {
    if (attachment != null) {
      losses.add(new PacketLine.Lost(attachment, reason));
    }
  }

  List<PacketLine.Lost> takeLosses() {
    if (losses.isEmpty()) {
      return List.of();
    }
    List<PacketLine.Lost> taken = losses;
    losses = new ArrayList<>();
    return taken;
  }
}
