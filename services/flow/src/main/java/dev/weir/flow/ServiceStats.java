package dev.weir.flow;

/**
 * What a service does and has done since it was opened. The figures are read while it works, so
 * they are not one consistent moment.
 *
 * @param workers how many messages may be in handling at once
 * @param busyWorkers how many are
 * @param waitingInMemory messages in the memory tier
 * @param waitingInMemoryBytes their size as the limit counts it
 * @param waitingOnDisk messages in the disk tier, its buffers included
 * @param waitingOnDiskBytes size of the disk tier's content as its budget counts it
 * @param accepted messages taken in, one-way durable ones included
 * @param completed messages whose handler succeeded
 * @param failed messages whose handler failed
 * @param rejected messages refused because of a limit, a fault, or because the service is closing
 * @param dropped messages dropped by the policy after they were accepted
 * @param expired requests that were not handled: their requester's timeout was over before a worker
 *     was free, or, under overload, would have been before the handler was ready ({@link
 *     FlowFailure#DROPPED}); of a requester on another node only if the request has the header
 *     {@link ServiceMessage#TIMEOUT_MS}
 * @param spilled messages that went to the disk tier
 * @param written of {@code spilled}, those really written to disk
 * @param writtenBytes bytes of these
 * @param recovered messages found on disk when the service was opened
 * @param abandonedRequests of {@code recovered}, requests and plain sends of an earlier process,
 *     which do not outlive it; they were not handled
 * @param waitedNsTotal time all started messages waited for a worker, in ns; when many wait in
 *     memory, one in 16 of them is timed and stands for the others
 * @param waitedNsMax the longest wait that was timed, in ns
 * @param paused true while nothing is started
 * @param scheduled durable messages that wait for a time: delayed ones and retries
 * @param retried failed attempts of durable messages that are followed by another
 * @param deadLetters durable messages whose attempts are used up
 */
public record ServiceStats(
    int workers,
    int busyWorkers,
    long waitingInMemory,
    long waitingInMemoryBytes,
    long waitingOnDisk,
    long waitingOnDiskBytes,
    long accepted,
    long completed,
    long failed,
    long rejected,
    long dropped,
    long expired,
    long spilled,
    long written,
    long writtenBytes,
    long recovered,
    long abandonedRequests,
    long waitedNsTotal,
    long waitedNsMax,
    boolean paused,
    long scheduled,
    long retried,
    long deadLetters) {}
