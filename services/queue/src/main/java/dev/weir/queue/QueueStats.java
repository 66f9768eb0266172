package dev.weir.queue;

/**
 * What a queue holds at one moment and what it has done since it was opened.
 *
 * @param waiting messages that no consumer has taken
 * @param unacknowledged messages taken and neither acknowledged nor released
 * @param bytes size of all messages that are waiting or unacknowledged, as the budget counts it
 * @param bufferedBytes of {@code bytes}, those that wait in memory to be written
 * @param appended messages accepted
 * @param delivered messages taken by the consumer
 * @param acknowledged messages acknowledged
 * @param rejected messages refused because of a limit or a fault
 * @param dropped accepted messages dropped by {@link OverflowPolicy#DROP_OLDEST}
 * @param writtenMessages messages really written to disk; others were consumed before their turn
 * @param writtenBytes bytes of packets really written to disk
 * @param commits transactions in which packets were written
 * @param recovered messages found on disk when the queue was opened
 * @param recoveredTransient of {@code recovered}, those thrown away because their requester did not
 *     outlive the restart
 * @param corruptPackets packets that were not read back as they had been written
 * @param lost accepted messages that could not be written or read back
 */
public record QueueStats(
    long waiting,
    long unacknowledged,
    long bytes,
    long bufferedBytes,
    long appended,
    long delivered,
    long acknowledged,
    long rejected,
    long dropped,
    long writtenMessages,
    long writtenBytes,
    long commits,
    long recovered,
    long recoveredTransient,
    long corruptPackets,
    long lost) {

  /** Without losses. */
  public QueueStats(
      long waiting,
      long unacknowledged,
      long bytes,
      long bufferedBytes,
      long appended,
      long delivered,
      long acknowledged,
      long rejected,
      long dropped,
      long writtenMessages,
      long writtenBytes,
      long commits,
      long recovered,
      long recoveredTransient,
      long corruptPackets) {
    this(
        waiting,
        unacknowledged,
        bytes,
        bufferedBytes,
        appended,
        delivered,
        acknowledged,
        rejected,
        dropped,
        writtenMessages,
        writtenBytes,
        commits,
        recovered,
        recoveredTransient,
        corruptPackets,
        0);
  }
}
