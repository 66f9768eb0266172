package dev.weir.queue.line;

import dev.weir.queue.QueueStats;
import java.util.List;

/** Counts what a queue has done since it was opened. Guarded by the queue's lock. */
public final class QueueCounters {
  public long rejected;
  long writtenMessages;
  long writtenBytes;
  long commits;
  public long recovered;
  public long recoveredTransient;
  public long corruptPackets;
  public long duplicates;

  /** Counts a commit of packets. */
  public <T> void written(List<Packet<T>> packets, long bytes) {
    packets.forEach(packet -> writtenMessages += packet.count);
    writtenBytes += bytes;
    commits += packets.isEmpty() ? 0 : 1;
  }

  /** The statistics of the queue as of now. */
  public QueueStats snapshot(Dispatcher<?> of, DeadBook dead) {
    PacketTotals packets = of.packets.totals();
    return new QueueStats(
        of.waiting(),
        of.unacknowledged(),
        of.bytes(),
        of.packets.bufferedBytes(),
        packets.appended,
        of.delivered,
        of.acknowledged,
        rejected + packets.refused,
        packets.dropped + of.deferred.drop().dropped,
        writtenMessages,
        writtenBytes,
        commits,
        packets.read,
        recovered,
        recoveredTransient,
        corruptPackets,
        packets.lost + of.deferred.lost(),
        of.deferred.scheduled(),
        of.retried,
        of.expired,
        duplicates,
        of.purged(),
        of.deadLettered,
        dead.count,
        dead.bytes,
        dead.trimmed);
  }
}
