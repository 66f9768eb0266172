package dev.weir.queue.line;

import dev.weir.queue.QueueException.Reason;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives up the oldest deferred messages of a queue that is over its budget: those whose time has
 * come first, then by due time, then those that wait for their key. Messages in memory go at once.
 * Messages on disk are deleted part by part by the writer thread; until then the queue is over its
 * budget by that much.
 *
 * @param <T> the message type
 */
public final class DeferredDrop<T> {
  private static final int RECORDS_PER_PART = 1000;

  private final DelayedMessages<T> delayed;
  private final KeyQueues<T> keys;
  private final DeferredRecords<T> records;

  /** Bytes of records on disk that are still to be deleted. */
  private long toDrop;

  /** Messages dropped so far. */
  long dropped;

  DeferredDrop(DelayedMessages<T> delayed, KeyQueues<T> keys, DeferredRecords<T> records) {
    this.delayed = delayed;
    this.keys = keys;
    this.records = records;
  }

  /** Bytes that are given up and not deleted yet. */
  long debtBytes() {
    return toDrop;
  }

  /** Bytes that can be given up. */
  long droppableBytes() {
    return records.idleBytes() - keys.loadedBytes;
  }

  /** Takes the messages in memory to give up, to be settled; the rest is deleted later. */
  List<TakenMessage<T>> begin(long bytes) {
    List<TakenMessage<T>> givenUp = takeReady(bytes);
    long rest = bytes - bytesOf(givenUp);
    toDrop += Math.max(0, Math.min(rest, droppableBytes() - toDrop));
    return givenUp;
  }

  private List<TakenMessage<T>> takeReady(long bytes) {
    List<TakenMessage<T>> givenUp = new ArrayList<>();
    long rest = bytes;
    while (rest > 0 && delayed.hasReady()) {
      TakenMessage<T> oldest = delayed.poll();
      rest -= oldest.detached().bytes();
      records.lose(oldest.attachment(), Reason.DROPPED);
      givenUp.add(oldest);
    }
    dropped += givenUp.size();
    return givenUp;
  }

  private static long bytesOf(List<? extends TakenMessage<?>> messages) {
    return messages.stream().mapToLong(message -> message.detached().bytes()).sum();
  }

  boolean isWanted() {
    return toDrop > 0;
  }

  /** The records to delete next, or null. */
  DeferredLoad next() {
    if (toDrop <= 0) {
      return null;
    }
    DeferredLoad next = delayed.nextPurge(RECORDS_PER_PART, toDrop);
    return next == null ? keys.nextPurge(RECORDS_PER_PART, toDrop) : next;
  }

  /**
   * Takes the messages to settle instead of records to delete of which none is left: they were read
   * since they were given up.
   */
  List<TakenMessage<T>> end() {
    List<TakenMessage<T>> givenUp = takeReady(toDrop);
    toDrop = 0;
    return givenUp;
  }

  /** Called when records were deleted. */
  void deleted(DeferredLoad asked, List<DeferredKey> deleted) {
    long bytes = deleted.stream().mapToLong(DeferredKey::bytes).sum();
    toDrop -= bytes;
    dropped += deleted.size();
    boolean last = deleted.size() < asked.maxRecords() && bytes < asked.maxBytes();
    records.deleted(deleted, Reason.DROPPED);
    if (asked.kind() == DeferredKey.DUE) {
      delayed.purged(deleted, last);
    } else {
      keys.purged(asked.order(), deleted.size(), last);
    }
  }
}
