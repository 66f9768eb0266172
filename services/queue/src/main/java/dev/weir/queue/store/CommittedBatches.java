package dev.weir.queue.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The batches of a queue that are committed and whose senders do not know that yet, in order. A
 * batch ends when it is as safe as it has to be, and all batches before it have ended. While one is
 * forced to the device the next is written, so that the device need not wait for the writer.
 * Guarded by the queue's lock.
 *
 * @param <T> the message type
 */
final class CommittedBatches<T> {
  /** One that is forced and one that waits for it; more only while packets are full. */
  private static final int USUAL = 2;

  private static final int MOST = 8;

  /** A batch that has ended, and the size of its packets on disk. */
  record Ended<T>(WriteBatch<T> batch, long writtenBytes) {}

  private static final class Entry<T> {
    private final WriteBatch<T> batch;
    private final long writtenBytes;
    private boolean isSafe;

    Entry(WriteBatch<T> batch, long writtenBytes, boolean isSafe) {
      this.batch = batch;
      this.writtenBytes = writtenBytes;
      this.isSafe = isSafe;
    }
  }

  private final ArrayDeque<Entry<T>> entries = new ArrayDeque<>();

  /** True from a failed force until {@link #giveUp}. */
  private boolean failed;

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /**
   * True if one more batch may be written.
   *
   * @param isAnyFull whether a packet waits that takes no more messages
   */
  boolean takesMore(boolean isAnyFull) {
    return !failed && entries.size() < (isAnyFull ? MOST : USUAL);
  }

  /**
   * Adds a batch that was just committed.
   *
   * @param isSafe false if its packets are still to reach the device
   */
  void add(WriteBatch<T> batch, long writtenBytes, boolean isSafe) {
    entries.add(new Entry<>(batch, writtenBytes, isSafe));
  }

  /** Called when the device has the packets of a batch. */
  void forced(WriteBatch<T> batch) {
    Entry<T> found = find(batch);
    if (found != null) {
      found.isSafe = true;
    }
  }

  /** Takes the batches that end now. */
  List<Ended<T>> takeEnded() {
    List<Ended<T>> ended = new ArrayList<>(1);
    while (!entries.isEmpty() && entries.peek().isSafe) {
      Entry<T> first = entries.poll();
      ended.add(new Ended<>(first.batch, first.writtenBytes));
    }
    return ended;
  }

  /**
   * Called when it is not known whether the device has the packets of a batch. No batch is written
   * until {@link #giveUp}.
   *
   * @return false if the batch was given up already, with one before it
   */
  boolean failed(WriteBatch<T> batch) {
    boolean isHere = find(batch) != null;
    failed |= isHere;
    return isHere;
  }

  /**
   * Takes a batch whose force has failed, and all behind it: their packets are written again, in
   * order. Empty if that was done already.
   */
  List<WriteBatch<T>> giveUp(WriteBatch<T> batch) {
    List<WriteBatch<T>> givenUp = new ArrayList<>();
    if (find(batch) != null) {
      failed = false;
      while (givenUp.isEmpty() || givenUp.get(0) != batch) {
        givenUp.add(0, entries.pollLast().batch);
      }
    }
    return givenUp;
  }

  private Entry<T> find(WriteBatch<T> batch) {
    for (Entry<T> entry : entries) {
      if (entry.batch == batch) {
        return entry;
      }
    }
    return null;
  }
}
