package dev.weir.queue;

import java.util.List;

/**
 * What a check of a whole directory found.
 *
 * @param logFiles files of the log
 * @param logBytes their size; every byte was checked
 * @param logEntries entries that are intact
 * @param faults damage of the log, in order
 * @param openFailure why the store cannot be opened, or null
 * @param queues what was found in each queue; none if the store cannot be opened
 * @param lost packets that the log shows and no opened store will, at most
 * @param again packets whose deletion is lost, so that their messages are delivered once more
 */
public record VerifyReport(
    long logFiles,
    long logBytes,
    long logEntries,
    List<LogFault> faults,
    String openFailure,
    List<QueueCheck> queues,
    List<LostPackets> lost,
    List<LostPackets> again) {

  /** Nothing is damaged. */
  public boolean ok() {
    return faults.isEmpty()
        && openFailure == null
        && lost.isEmpty()
        && queues.stream().allMatch(queue -> queue.damaged().isEmpty());
  }

  /** Messages that are intact, dead letters too. */
  public long readableMessages() {
    return queues.stream().mapToLong(QueueCheck::messages).sum();
  }

  /** Messages that are lost, as far as that is known. */
  public long lostMessages() {
    return lost.stream().mapToLong(LostPackets::messages).sum()
        + queues.stream()
            .flatMap(queue -> queue.damaged().stream())
            .mapToLong(DamagedPacket::messages)
            .sum();
  }
}
