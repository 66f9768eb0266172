package dev.weir.queue.line;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The messages that wait because a message of the same key is out, one {@link KeyQueue} a key. They
 * wait in memory while there is room, then on disk:
 *
 * <pre>
 *   hold -> window of the key queue ----------------------> poll
 *        -> records on the way to disk -> disk -> window -> poll
 * </pre>
 *
 * @param <T> the message type
 */
final class KeyQueues<T> {
  /** Upper bound on messages in memory for all keys together. Every free key may hold one. */
  private static final int MAX_WINDOW_MESSAGES = 10_000;

  /** The key queues take at most this part of the heap. */
  private static final int HEAP_SHARE = 64;

  private static final int KEY_QUEUE_BYTES = 256;
  private static final int MAX_READY = 1_000;
  private static final long READ_BYTES = 64 << 10;

  private final long memoryBytes;
  private final DeferredRecords<T> records;
  final Map<Long, KeyQueue<T>> byId = new HashMap<>();

  /** Free key queues with messages in memory. */
  private final ArrayDeque<KeyQueue<T>> ready = new ArrayDeque<>();

  /** Free key queues with messages on disk only. */
  private final ArrayDeque<KeyQueue<T>> toRead = new ArrayDeque<>();

  private final long maxKeyQueues =
      Math.max(MAX_READY, Runtime.getRuntime().maxMemory() / HEAP_SHARE / KEY_QUEUE_BYTES);

  private long windowMessages;
  private long windowBytes;

  /** Size of the records whose messages are in memory. */
  long loadedBytes;

  private long nextNumber;

  /**
   * Key queues are read from disk only when the packets have been taken up to this sequence; -1
   * once that is so.
   */
  private long resumeAfter = -1;

  /** The key queue of the message polled last, or null. */
  private KeyQueue<T> polled;

  /** Messages that wait, in memory, on the way to disk and on disk. */
  long waiting;

  /**
   * @param memoryBytes upper bound of the messages in memory
   * @param firstNumber larger than the number of every record on disk
   */
  KeyQueues(long memoryBytes, long firstNumber, DeferredRecords<T> records) {
    this.memoryBytes = memoryBytes;
    this.nextNumber = firstNumber;
    this.records = records;
  }

  void recover(DeferredRecovery found) {
    found.closedLanes.forEach(id -> get(id).blocked = true);
    found.lanes.forEach(
        (id, messages) -> {
          get(id).recover(messages);
          waiting += messages;
        });
    found.firstSequences.forEach(
        (id, first) -> {
          get(id).firstSequence = first;
          resumeAfter = Math.max(resumeAfter, first);
        });
  }

  private KeyQueue<T> get(long id) {
    KeyQueue<T> keyQueue = byId.get(id);
    if (keyQueue == null) {
      // Records of an earlier key queue of this id may still be on disk, on their way elsewhere.
      keyQueue = new KeyQueue<>(id, nextNumber - 1);
      byId.put(id, keyQueue);
    }
    return keyQueue;
  }

  /**
   * True while some keys wait for the packets to be taken up to where they were before a restart.
   */
  boolean isResuming() {
    return resumeAfter >= 0;
  }

  /**
   * Called as packets are taken.
   *
   * @param takenBefore every message before this sequence has been taken
   */
  void resume(long takenBefore) {
    if (takenBefore > resumeAfter) {
      resumeAfter = -1;
      refreshAll();
    }
  }

  long heldBytes() {
    return windowBytes + (long) KEY_QUEUE_BYTES * byId.size();
  }

  boolean isFull() {
    return windowMessages >= MAX_WINDOW_MESSAGES || windowBytes >= memoryBytes;
  }

  /**
   * True if there are so many keys with a message that is handled, waits for its next attempt or
   * waits for its key, that no more are begun. After a restart the packets are taken all the same:
   * the messages on disk wait for that.
   */
  boolean isCrowded() {
    return byId.size() >= maxKeyQueues && !isResuming();
  }

  boolean isBlocked(long id) {
    KeyQueue<T> keyQueue = byId.get(id);
    return keyQueue != null && keyQueue.blocked;
  }

  // ---- delivering

  boolean hasReady() {
    return !ready.isEmpty();
  }

  /** The next message of a free key, or null. */
  TakenMessage<T> poll() {
    polled = null;
    while (!ready.isEmpty()) {
      KeyQueue<T> keyQueue = ready.poll();
      keyQueue.listed = false;
      if (!keyQueue.blocked) {
        polled = keyQueue;
        TakenMessage<T> next = keyQueue.window.poll();
        leftWindow(next);
        return next;
      }
    }
    return null;
  }

  private void leftWindow(TakenMessage<T> message) {
    windowMessages--;
    windowBytes -= message.sizeBytes();
    loadedBytes -= recordBytes(message);
    waiting--;
  }

  /** Called when the message polled last does not block its key: the next of its key may go on. */
  void passed() {
    if (polled != null) {
      refresh(polled);
      polled = null;
    }
  }

  /** Blocks a key behind a message; false if the message has to wait for others of the key. */
  boolean block(long id, TakenMessage<T> next) {
    KeyQueue<T> keyQueue = get(id);
    boolean first =
        keyQueue.isEmpty()
            || keyQueue == polled
            || keyQueue.window.isEmpty() && isBeforeDisk(keyQueue, next);
    if (keyQueue.blocked || !first) {
      return false;
    }
    keyQueue.blocked = true;
    next.blockedKeyQueue = id;
    passed();
    return true;
  }

  /** True for a message of a packet that precedes what a restart left on disk for its key. */
  private boolean isBeforeDisk(KeyQueue<T> keyQueue, TakenMessage<T> next) {
    return isResuming() && next.detached() == null && next.sequence() < keyQueue.firstSequence;
  }

  /** Makes a message wait behind the others of its key. */
  void hold(long id, TakenMessage<T> next) {
    KeyQueue<T> keyQueue = get(id);
    waiting++;
    if (isBeforeDisk(keyQueue, next) || !keyQueue.isSpilling() && !isFull()) {
      addToWindow(keyQueue, next);
      return;
    }
    DetachedMessage<T> message = next.detach();
    DeferredKey to =
        DeferredKey.lane(
            id,
            nextNumber++,
            message.sequence,
            message.isTransient,
            next.detached() == null,
            message.bytes());
    keyQueue.pending++;
    leftDisk(message.key, 1);
    records.move(new DetachedMove<>(next, message, to, 0));
  }

  private void addToWindow(KeyQueue<T> keyQueue, TakenMessage<T> next) {
    keyQueue.window.add(next);
    windowMessages++;
    windowBytes += next.sizeBytes();
    loadedBytes += recordBytes(next);
  }

  private static int recordBytes(TakenMessage<?> message) {
    return message.packet() == null ? message.detached().key.bytes() : 0;
  }

  /** Frees the key that a finished message has blocked. */
  void free(TakenMessage<T> done) {
    free(done.blockedKeyQueue);
    done.blockedKeyQueue = 0;
  }

  void free(long id) {
    KeyQueue<T> keyQueue = id == 0 ? null : byId.get(id);
    if (keyQueue != null) {
      keyQueue.blocked = false;
      refresh(keyQueue);
    }
  }

  private void refresh(KeyQueue<T> keyQueue) {
    if (keyQueue.listed || keyQueue.blocked) {
      return;
    }
    if (!keyQueue.window.isEmpty()) {
      keyQueue.listed = true;
      ready.add(keyQueue);
    } else if (keyQueue.onDisk > 0 && !isResuming()) {
      keyQueue.listed = true;
      toRead.add(keyQueue);
    } else if (keyQueue.isEmpty()) {
      byId.remove(keyQueue.id);
    }
  }

  private void refreshAll() {
    List.copyOf(byId.values()).forEach(this::refresh);
  }

  // ---- records on disk

  /**
   * Called when messages that were read leave the records of their key.
   *
   * @param from null if the message had no record
   */
  void leftDisk(DeferredKey from, int messages) {
    KeyQueue<T> keyQueue = from == null || from.isDue() ? null : byId.get(from.lane());
    if (keyQueue != null) {
      keyQueue.loaded -= messages;
    }
  }

  /** Called when the record of a message is committed, or when its serde cannot write it. */
  void written(DetachedMove<T> move) {
    KeyQueue<T> keyQueue = byId.get(move.to.lane());
    keyQueue.pending--;
    if (move.broken) {
      waiting--;
    } else {
      keyQueue.onDisk++;
      records.keepAttachment(move.message);
    }
    refresh(keyQueue);
  }

  /** Ids of the free key queues whose next message is on its way to the disk. */
  Set<Long> withoutRecords() {
    Set<Long> ids = new HashSet<>();
    for (KeyQueue<T> keyQueue : byId.values()) {
      boolean next = keyQueue.window.isEmpty() && keyQueue.onDisk == 0 && keyQueue.pending > 0;
      if (next && !keyQueue.blocked) {
        ids.add(keyQueue.id);
      }
    }
    return ids;
  }

  /** Keeps a message in memory whose move to the disk was taken back. */
  void bypass(DetachedMove<T> move) {
    KeyQueue<T> keyQueue = get(move.to.lane());
    keyQueue.pending--;
    addToWindow(keyQueue, move.delivery);
    refresh(keyQueue);
  }

  boolean wantsRead() {
    return !toRead.isEmpty() && ready.size() < MAX_READY;
  }

  DeferredLoad beginRead() {
    KeyQueue<T> keyQueue = toRead.peek();
    int maxRecords = isFull() ? 1 : MAX_WINDOW_MESSAGES;
    return keyQueue.records(maxRecords, READ_BYTES);
  }

  void endRead(DeferredLoad.Found<T> found) {
    KeyQueue<T> keyQueue = toRead.poll();
    keyQueue.listed = false;
    for (DeferredLoad.Loaded<T> loaded : found.records()) {
      keyQueue.onDisk--;
      keyQueue.loadedNumber = loaded.key().number();
      if (records.restore(loaded)) {
        keyQueue.loaded++;
        addToWindow(keyQueue, new TakenMessage<>(loaded.message()));
      } else {
        waiting--;
      }
    }
    if (found.exhausted() && keyQueue.onDisk > 0) {
      records.lost += keyQueue.onDisk;
      waiting -= keyQueue.onDisk;
      keyQueue.onDisk = 0;
    }
    refresh(keyQueue);
  }

  // ---- purging

  /** Takes messages in memory. */
  List<TakenMessage<T>> takeWindows(Predicate<TakenMessage<T>> which) {
    List<TakenMessage<T>> taken = new ArrayList<>();
    for (KeyQueue<T> keyQueue : byId.values()) {
      keyQueue.window.removeIf(message -> which.test(message) && taken.add(message));
    }
    taken.forEach(this::leftWindow);
    ready.forEach(keyQueue -> keyQueue.listed = !keyQueue.window.isEmpty());
    ready.removeIf(keyQueue -> !keyQueue.listed);
    return taken;
  }

  /** Called when a message is given up on its way to the disk. */
  void cancelled(DeferredKey to) {
    waiting--;
    get(to.lane()).pending--;
  }

  /** Frees the keys of messages that were given up. */
  void freeAll(List<TakenMessage<T>> givenUp) {
    givenUp.forEach(this::free);
    refreshAll();
  }

  /** The records of a key to delete next, or null. */
  DeferredLoad nextPurge(int maxRecords, long maxBytes) {
    for (KeyQueue<T> keyQueue : byId.values()) {
      if (keyQueue.onDisk > 0) {
        return keyQueue.records(maxRecords, maxBytes);
      }
    }
    return null;
  }

  /**
   * Called when records of a key were deleted.
   *
   * @param deleted number of records; all that were left if {@code last}
   */
  void purged(long id, long deleted, boolean last) {
    KeyQueue<T> keyQueue = byId.get(id);
    long gone = last ? keyQueue.onDisk : deleted;
    keyQueue.onDisk -= gone;
    waiting -= gone;
    refresh(keyQueue);
  }

  void loseAttachments() {
    for (KeyQueue<T> keyQueue : byId.values()) {
      keyQueue.window.forEach(message -> records.loseClosed(message.attachment()));
    }
  }
}
