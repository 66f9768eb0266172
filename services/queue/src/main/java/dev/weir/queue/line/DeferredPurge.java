package dev.weir.queue.line;

import dev.weir.queue.QueueException.Reason;
import java.util.List;
import java.util.function.Predicate;

/**
 * Purges deferred messages: those in memory at once, those on disk part by part. While a purge
 * runs, no deferred message is read, written or delivered, so that messages that come later stay.
 *
 * @param <T> the message type
 */
public final class DeferredPurge<T> {
  private final DelayedMessages<T> delayed;
  private final KeyQueues<T> keys;
  private final DeferredRecords<T> records;
  private int running;

  /** Messages purged so far. */
  public long purged;

  DeferredPurge(DelayedMessages<T> delayed, KeyQueues<T> keys, DeferredRecords<T> records) {
    this.delayed = delayed;
    this.keys = keys;
    this.records = records;
  }

  public boolean isRunning() {
    return running > 0;
  }

  /** Begins a purge; returns the undelivered messages in memory, to be settled. */
  public List<TakenMessage<T>> begin() {
    running++;
    List<TakenMessage<T>> givenUp = takeMemory(message -> true);
    records.purgeWriting();
    cancel(records.cancelMoves(move -> true), givenUp);
    return giveUp(givenUp);
  }

  private void cancel(List<DetachedMove<T>> cancelled, List<TakenMessage<T>> givenUp) {
    for (DetachedMove<T> move : cancelled) {
      // The settling of a message that goes back to its key's records counts it there again.
      keys.leftDisk(move.from, -1);
      if (move.to.isDue()) {
        delayed.scheduled--;
        move.delivery.blockedKeyQueue = move.to.lane();
      } else {
        keys.cancelled(move.to);
      }
      givenUp.add(move.delivery);
    }
  }

  /** Returns messages that were being read or written when the purge began, to be settled. */
  public List<TakenMessage<T>> takeArrived() {
    List<TakenMessage<T>> givenUp = takeMemory(message -> true);
    cancel(records.takePurged(), givenUp);
    return giveUp(givenUp);
  }

  /** Gives up one undelivered message if it is in memory; returns it, to be settled. */
  List<TakenMessage<T>> take(long sequence) {
    List<TakenMessage<T>> givenUp = takeMemory(message -> message.sequence() == sequence);
    cancel(records.cancelMoves(move -> move.delivery.sequence() == sequence), givenUp);
    return giveUp(givenUp);
  }

  private List<TakenMessage<T>> takeMemory(Predicate<TakenMessage<T>> which) {
    List<TakenMessage<T>> taken = delayed.takeReady(which);
    taken.addAll(keys.takeWindows(which));
    return taken;
  }

  private List<TakenMessage<T>> giveUp(List<TakenMessage<T>> messages) {
    purged += messages.size();
    messages.forEach(message -> records.lose(message.attachment(), Reason.PURGED));
    keys.freeAll(messages);
    return messages;
  }

  /** The records to delete next, or null if none is left. */
  public DeferredLoad nextPart(int maxRecords) {
    DeferredLoad due = delayed.nextPurge(maxRecords, Long.MAX_VALUE);
    return due == null ? keys.nextPurge(maxRecords, Long.MAX_VALUE) : due;
  }

  /** Called when records were deleted; fewer than asked for means that none is left. */
  public void deleted(DeferredLoad asked, List<DeferredKey> deleted) {
    boolean last = deleted.size() < asked.maxRecords();
    purged += deleted.size();
    records.deleted(deleted, Reason.PURGED);
    if (asked.kind() == DeferredKey.DUE) {
      delayed.purged(deleted, last);
    } else {
      keys.purged(asked.order(), deleted.size(), last);
    }
  }

  /** Called when the record of one message that was not read is deleted. */
  void deleted(DeferredKey key) {
    purged++;
    records.deleted(List.of(key), Reason.PURGED);
    if (key.isDue()) {
      delayed.purged(List.of(key), false);
    } else {
      keys.purged(key.lane(), 1, false);
    }
  }

  /** Ends a purge. */
  public void end() {
    running--;
  }
}
