package dev.weir.queue;

import java.util.List;

/**
 * What a check of a whole directory found.
 *
 * @param logFiles number of log files
 * @param logBytes their size; every byte was checked
 * @param logEntries number of entries that are intact
 * @param faults damage of the log, in order
 * @param openFailure why the store cannot be opened, or null
 * @param queues what was found in each queue; empty if the store cannot be opened
 * @param lost packets that the log shows and an opened store does not have; an upper limit
 * @param redelivered packets whose deletion is lost, so that their messages are delivered again; an
 *     upper limit
 */
public record VerifyReport(
    long logFiles,
    long logBytes,
    long logEntries,
    List<LogFault> faults,
    String openFailure,
    List<QueueCheck> queues,
    List<LostPackets> lost,
    List<LostPackets> redelivered) {

  /** True if nothing is damaged. */
  public boolean ok() {
    return faults.isEmpty()
        && openFailure == null
        && lost.isEmpty()
        && queues.stream().allMatch(queue -> queue.damaged().isEmpty());
  }

  /** Number of intact messages, with dead letters. */
  public long readableMessages() {
    return queues.stream().mapToLong(QueueCheck::messages).sum();
  }

  /** Number of lost messages, as far as it is known. */
  public long lostMessages() {
    return lost.stream().mapToLong(LostPackets::messages).sum()
        + queues.stream()
            .flatMap(queue -> queue.damaged().stream())
            .mapToLong(DamagedPacket::messages)
            .sum();
  }
}
