package dev.weir.queue.line;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The messages that wait for a time: delayed messages and retries. They wait on disk; what is due
 * is read into memory and is then ready to be delivered.
 *
 * @param <T> the message type
 */
final class DelayedMessages<T> {
  private static final int MAX_READY_MESSAGES = 10_000;

  private final long memoryBytes;
  private final DeferredRecords<T> records;
  private final KeyQueues<T> keys;

  /** Messages in memory whose time has come. */
  final ArrayDeque<TakenMessage<T>> ready = new ArrayDeque<>();

  private long readyBytes;

  /** Records on disk that were not read yet. */
  private long onDisk;

  /** Time of the first of them, ms since 1970; {@link Long#MAX_VALUE} for none. */
  private long nextDueMs = Long.MAX_VALUE;

  /** Time and number of the last record read. */
  private long readDueMs;

  private long readNumber;

  /** Messages that wait for their time, on disk or on the way there. */
  long scheduled;

  DelayedMessages(long memoryBytes, DeferredRecords<T> records, KeyQueues<T> keys) {
    this.memoryBytes = memoryBytes;
    this.records = records;
    this.keys = keys;
  }

  void recover(DeferredRecovery found) {
    onDisk = found.due;
    nextDueMs = found.nextDueMs;
    scheduled = found.due;
  }

  // ---- delivering

  boolean hasReady() {
    return !ready.isEmpty();
  }

  long readyBytes() {
    return readyBytes;
  }

  int readyMessages() {
    return ready.size();
  }

  /** The next message whose time has come, or null. */
  TakenMessage<T> poll() {
    TakenMessage<T> next = ready.poll();
    if (next != null) {
      readyBytes -= next.sizeBytes();
    }
    return next;
  }

  private void addReady(DetachedMessage<T> message) {
    message.dueMs = message.key.order();
    addReady(new TakenMessage<>(message), message.key.lane());
  }

  private void addReady(TakenMessage<T> next, long lane) {
    next.blockedKeyQueue = lane;
    readyBytes += next.sizeBytes();
    ready.add(next);
  }

  /** Makes a message ready whose move was taken back because its time came before its write. */
  void bypass(DetachedMove<T> move) {
    scheduled--;
    move.message.dueMs = move.to.order();
    addReady(move.delivery.again(move.message), move.to.lane());
  }

  // ---- records on disk

  /** Called when the record of a message is committed, or when its serde cannot write it. */
  void written(DetachedMove<T> move) {
    DeferredKey key = move.to;
    if (move.broken) {
      scheduled--;
      keys.free(key.lane());
    } else if (isBeforeReader(key)) {
      scheduled--;
      addReady(move.message);
    } else {
      onDisk++;
      nextDueMs = Math.min(nextDueMs, key.order());
      records.keepAttachment(move.message);
    }
  }

  /** True if the reading of the records has passed the place of this one. */
  boolean isBeforeReader(DeferredKey key) {
    return key.order() < readDueMs || key.order() == readDueMs && key.number() <= readNumber;
  }

  /** When to read again, ms since 1970; {@link Long#MAX_VALUE} for never. */
  long nextReadMs() {
    boolean enough = readyBytes >= memoryBytes / 2 || ready.size() >= MAX_READY_MESSAGES / 2;
    return onDisk == 0 || enough ? Long.MAX_VALUE : nextDueMs;
  }

  DeferredLoad beginRead(long nowMs) {
    return range(nowMs, MAX_READY_MESSAGES, memoryBytes);
  }

  private DeferredLoad range(long lastDueMs, int maxRecords, long maxBytes) {
    return new DeferredLoad(
        DeferredKey.DUE, readDueMs, readNumber + 1, lastDueMs, maxRecords, maxBytes);
  }

  void endRead(DeferredLoad.Found<T> found) {
    for (DeferredLoad.Loaded<T> loaded : found.records()) {
      onDisk--;
      scheduled--;
      readDueMs = loaded.key().order();
      readNumber = loaded.key().number();
      if (records.restore(loaded)) {
        addReady(loaded.message());
      } else {
        keys.free(loaded.key().lane());
      }
    }
    nextDueMs = found.nextOrder();
    if (nextDueMs == Long.MAX_VALUE && onDisk > 0) {
      records.lost += onDisk;
      scheduled -= onDisk;
      onDisk = 0;
    }
  }

  /** The earliest time from {@code nowMs} on whose records are still to be read. */
  long soonMs(long nowMs) {
    return Math.max(nowMs, readDueMs + 1);
  }

  /** Called when a dead letter was put back as a record that is due. */
  void requeued(DeferredKey key) {
    scheduled++;
    onDisk++;
    records.bytes += key.bytes();
    rescheduled(key);
  }

  /** Called when a record that was not read got another time. */
  void rescheduled(DeferredKey key) {
    nextDueMs = Math.min(nextDueMs, key.order());
  }

  // ---- purging

  /** Takes messages in memory. */
  List<TakenMessage<T>> takeReady(Predicate<TakenMessage<T>> which) {
    List<TakenMessage<T>> taken = new ArrayList<>();
    ready.removeIf(message -> which.test(message) && taken.add(message));
    taken.forEach(message -> readyBytes -= message.sizeBytes());
    return taken;
  }

  /** The records to delete next, or null. */
  DeferredLoad nextPurge(int maxRecords, long maxBytes) {
    return onDisk == 0 ? null : range(Long.MAX_VALUE, maxRecords, maxBytes);
  }

  /**
   * Called when records were deleted.
   *
   * @param last true if none is left
   */
  void purged(List<DeferredKey> deleted, boolean last) {
    long gone = last ? onDisk : deleted.size();
    onDisk -= gone;
    scheduled -= gone;
    nextDueMs = last ? Long.MAX_VALUE : nextDueMs;
    deleted.forEach(key -> keys.free(key.lane()));
  }

  void loseAttachments() {
    ready.forEach(message -> records.loseClosed(message.attachment()));
  }
}
