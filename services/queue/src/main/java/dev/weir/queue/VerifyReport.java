package dev.weir.queue;

import java.util.List;

/**
 * What a check of a whole directory found.
 *
 * @param logFiles number of log files
 * @param logBytes their size; every byte was checked
 * @param logEntries number of entries that are intact
 * @param faults damage of the log, in order
 * @param openFailure why the messages cannot be read, or null
 * @param queues what was found in each queue; empty if the messages cannot be read
 * @param lost messages that may have been where the log cannot be read or ends too early; an upper
 *     limit
 */
public record VerifyReport(
    long logFiles,
    long logBytes,
    long logEntries,
    List<LogFault> faults,
    String openFailure,
    List<QueueCheck> queues,
    List<LostPackets> lost) {

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
