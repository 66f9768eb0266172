package dev.weir.queue.line;

import dev.weir.queue.DeliveryOrder;
import dev.weir.queue.MessageOptions;
import java.util.ArrayDeque;

/**
 * The messages of one key that wait for each other. One message is out at a time; the others wait
 * in order, the first of them in memory and the rest on disk.
 *
 * @param <T> the message type
 */
final class KeyQueue<T> {
  /** The id of no key queue. */
  static final long NONE = 0;

  /** The key queue of all messages when the queue delivers one by one. */
  static final long WHOLE_QUEUE = 1;

  final long id;

  /** Messages in memory, in order. */
  final ArrayDeque<TakenMessage<T>> window = new ArrayDeque<>();

  /** True while a message of this key is being handled or waits for its next attempt. */
  boolean blocked;

  /** Messages whose record is committed and not in memory. */
  long onDisk;

  /** Messages on the way to the disk. */
  long pending;

  /** Messages that were read from the disk and whose record is not deleted yet. */
  long loaded;

  /**
   * Sequence of the first message that was on disk when the queue was opened. Messages with a lower
   * sequence are delivered before it. 0 for none.
   */
  long firstSequence;

  /** Number of the last record read. */
  long loadedNumber;

  /** True while this key queue is in the list of those to deliver from or to read. */
  boolean listed;

  /**
   * @param loadedNumber no record with a lower or this number belongs to it
   */
  KeyQueue(long id, long loadedNumber) {
    this.id = id;
    this.loadedNumber = loadedNumber;
  }

  /**
   * The id of the key queue of a message.
   *
   * @param its null for none
   */
  static long id(DeliveryOrder order, MessageOptions its) {
    return switch (order) {
      case NONE -> NONE;
      case QUEUE -> WHOLE_QUEUE;
      case KEY -> its == null || its.key() == null ? NONE : hash(its.key());
    };
  }

  /** Two keys with the same hash wait for each other; that costs time and breaks no promise. */
  private static long hash(String key) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < key.length(); i++) {
      hash = (hash ^ key.charAt(i)) * 0x100000001b3L;
    }
    return hash == NONE ? WHOLE_QUEUE : hash;
  }

  /** Starts with what was found on disk. */
  void recover(long messages) {
    onDisk = messages;
    loadedNumber = 0;
  }

  /** The records on disk that were not read. */
  DeferredLoad records(int maxRecords, long maxBytes) {
    return new DeferredLoad(DeferredKey.LANE, id, loadedNumber + 1, id, maxRecords, maxBytes);
  }

  /**
   * True if the next message must go to the disk too. In its packet it would lie between messages
   * of the disk, and a restart could not find its place.
   */
  boolean isSpilling() {
    return onDisk + pending + loaded > 0;
  }

  boolean isEmpty() {
    return window.isEmpty() && onDisk + pending == 0;
  }
}
