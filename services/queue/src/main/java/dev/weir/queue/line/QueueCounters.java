package dev.weir.queue.line;

import dev.weir.queue.QueueStats;
import java.util.List;

/** What a queue has done since it was opened. Guarded by the queue's lock. */
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

  public QueueStats snapshot(Dispatcher<?> of, DeadBook dead) {
    return new QueueStats(
        of.waiting(),
        of.unacknowledged(),
        of.bytes(),
        of.line.bufferedBytes,
        of.line.appended,
        of.delivered,
        of.acknowledged,
        rejected + of.line.refused,
        of.line.dropped,
        writtenMessages,
        writtenBytes,
        commits,
        recovered,
        recoveredTransient,
        corruptPackets,
        of.line.lost + of.side.lost,
        of.side.scheduled,
        of.retried,
        of.expired,
        duplicates,
        of.line.purged + of.side.purged,
        of.deadLettered,
        dead.count,
        dead.bytes,
        dead.trimmed);
  }
}
