package dev.weir.queue;

/**
 * The figures of a queue: its content at one moment, and counters since it was opened.
 *
 * @param waiting messages that no consumer has taken, without scheduled ones
 * @param unacknowledged messages whose delivery has not ended
 * @param bytes size of all messages that are waiting or unacknowledged, as the budget counts it
 * @param bufferedBytes the part of {@code bytes} that waits in memory to be written
 * @param appended messages accepted
 * @param delivered messages taken by the consumer
 * @param acknowledged messages acknowledged
 * @param rejected messages refused because of a limit or a fault
 * @param dropped accepted messages dropped by {@link OverflowPolicy#DROP_OLDEST}
 * @param writtenMessages messages written to disk; others were acknowledged before the write
 * @param writtenBytes bytes of packets written to disk
 * @param commits transactions in which packets were written
 * @param readMessages messages read from disk to be delivered; others had stayed in memory
 * @param recovered messages found on disk when the queue was opened
 * @param recoveredTransient the part of {@code recovered} that was deleted, because it is of no use
 *     after a restart
 * @param corruptPackets packets whose bytes on disk had changed
 * @param lost accepted messages that could not be written or read
 * @param scheduled messages that wait for a time: delayed messages and retries
 * @param retried failed attempts that are followed by another attempt
 * @param expired messages that expired before they were delivered
 * @param duplicates messages not added because their id was known
 * @param purged messages deleted by {@link DurableQueue#purge}
 * @param deadLettered messages that became dead letters
 * @param deadLetters dead letters on disk
 * @param deadLetterBytes size of the dead letters on disk
 * @param deadLettersTrimmed dead letters deleted by the limits of {@link DeadLetterOptions}
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
    long readMessages,
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

  /** The figures of an empty queue that was just opened: all 0. */
  public static final QueueStats NONE =
      new QueueStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
