package dev.weir.queue;

/**
 * What a queue holds at one moment and what it has done since it was opened.
 *
 * @param waiting messages that no consumer has taken, without those that wait for their time
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
 * @param scheduled messages that wait for their time: delayed, or to be tried again
 * @param retried attempts that failed and will be followed by another
 * @param expired messages whose time was over before they were delivered
 * @param duplicates messages not added because their id was known
 * @param purged messages thrown away by {@link DurableQueue#purge}
 * @param deadLettered messages given up since the queue was opened
 * @param deadLetters dead letters on disk
 * @param deadLetterBytes their size
 * @param deadLettersTrimmed dead letters removed because there were too many, or they were too old
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
    long lost,
    long scheduled,
    long retried,
    long expired,
    long duplicates,
    long purged,
    long deadLettered,
    long deadLetters,
    long deadLetterBytes,
    long deadLettersTrimmed) {

  /** Of a queue that holds nothing and has done nothing. */
  public static final QueueStats NONE =
      new QueueStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
