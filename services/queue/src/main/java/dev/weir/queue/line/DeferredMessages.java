package dev.weir.queue.line;

import java.util.List;

/**
 * The messages that cannot be delivered when their turn in the packets comes, and have left their
 * packets for that: {@link DelayedMessages} wait for a time, {@link KeyQueues} for other messages
 * of the same key.
 *
 * @param <T> the message type
 */
public final class DeferredMessages<T> {
  private final long maxUnwrittenBytes;
  private final DeferredRecords<T> records = new DeferredRecords<>();
  private final KeyQueues<T> keys;
  private final DelayedMessages<T> delayed;
  private final DeferredPurge<T> purge;

  /** Messages that were delivered and whose delivery has not ended. */
  long unacknowledged;

  /**
   * @param memoryBytes upper bound of the messages in memory; applies to delayed messages and to
   *     those of keys separately
   * @param maxUnwrittenBytes with more bytes on the way to disk, no message is taken from a packet
   * @param firstNumber larger than every number of a record on disk
   */
  DeferredMessages(long memoryBytes, long maxUnwrittenBytes, long firstNumber) {
    this.maxUnwrittenBytes = maxUnwrittenBytes;
    this.keys = new KeyQueues<>(memoryBytes, firstNumber, records);
    this.delayed = new DelayedMessages<>(memoryBytes, records, keys);
    this.purge = new DeferredPurge<>(delayed, keys, records);
  }

  /** Starts with what was found on disk. */
  public void recover(SideRecovery found) {
    records.recover(found);
    delayed.recover(found);
    keys.recover(found);
  }

  /** The part that purges these messages. */
  public DeferredPurge<T> purge() {
    return purge;
  }

  boolean isResuming() {
    return keys.isResuming();
  }

  /** Tells how far the packets have been taken, see {@link PacketLine#takenBefore()}. */
  public void resume(long takenBefore) {
    keys.resume(takenBefore);
  }

  /** Messages to be delivered whose time has come. */
  long waiting() {
    return keys.waiting + delayed.readyMessages();
  }

  /** Messages that wait for their time. */
  long scheduled() {
    return delayed.scheduled;
  }

  long lost() {
    return records.lost;
  }

  /** Size of the records, on disk and on the way there. */
  public long bytes() {
    return records.bytes;
  }

  // ---- delivering

  boolean pollable() {
    return !purge.isRunning() && (delayed.hasReady() || keys.hasReady());
  }

  /** True if no message may be taken from a packet at the moment. */
  boolean isBlocked() {
    return purge.isRunning()
        || records.unwrittenBytes > maxUnwrittenBytes
        || keys.isResuming() && keys.isFull();
  }

  /** The next message, or null. A retry still blocks its key; every other message does not yet. */
  TakenMessage<T> poll() {
    keys.forgetPolled();
    if (purge.isRunning()) {
      return null;
    }
    TakenMessage<T> next = delayed.poll();
    return next == null ? keys.poll() : next;
  }

  /** Called when the message polled last is not delivered. */
  void passed() {
    keys.passed();
  }

  /** See {@link KeyQueues#block}. */
  boolean block(long keyQueue, TakenMessage<T> next) {
    return keys.block(keyQueue, next);
  }

  boolean isBlocked(long keyQueue) {
    return keys.isBlocked(keyQueue);
  }

  /** Makes a message wait for those of its key before it. */
  void hold(long keyQueue, TakenMessage<T> next) {
    keys.hold(keyQueue, next);
  }

  /** Frees the key that a finished message has blocked. */
  void free(TakenMessage<T> done) {
    keys.free(done);
  }

  /** Counts a delivery. */
  void delivered(SideMessage<T> message) {
    unacknowledged++;
    message.deliveries = Math.min(Packet.MAX_DELIVERIES, message.deliveries + 1);
    records.count(message);
  }

  // ---- changes

  /** Makes a message wait for a time. If the message blocks its key, the key stays blocked. */
  void schedule(TakenMessage<T> taken, SideMessage<T> message, long dueMs) {
    delayed.scheduled++;
    SideKey to =
        SideKey.due(
            Math.max(0, dueMs),
            message.sequence,
            taken.blockedKeyQueue,
            message.isTransient,
            message.bytes());
    move(new SideMove<>(taken, message, to, 0));
  }

  /** Makes a dead letter of a message. Its key becomes free when the dead letter is committed. */
  void bury(TakenMessage<T> taken, SideMessage<T> message) {
    move(new SideMove<>(taken, message, null, taken.blockedKeyQueue));
  }

  private void move(SideMove<T> move) {
    keys.leftDisk(move.from, 1);
    records.move(move);
  }

  /** Deletes a message that is done with. */
  void delete(SideMessage<T> message) {
    keys.leftDisk(message.key, 1);
    records.delete(message);
  }

  /** See {@link DelayedMessages#soonMs}. */
  public long soonMs(long nowMs) {
    return delayed.soonMs(nowMs);
  }

  /** Called when a dead letter was put back into the queue. */
  public void requeued(SideKey key) {
    delayed.requeued(key);
  }

  // ---- writing

  public boolean wantsWrite() {
    return !purge.isRunning() && records.hasMoves() || records.hasFailedMoves();
  }

  public boolean wantsUpkeep() {
    return records.wantsUpkeep();
  }

  /** See {@link DeferredRecords#takeMoves}; nothing new is written while a purge runs. */
  List<SideMove<T>> takeMoves(boolean fresh, long maxBytes) {
    return records.takeMoves(fresh && !purge.isRunning(), maxBytes);
  }

  /** Takes the keys of records to delete. */
  public List<SideKey> takeDeletes() {
    return records.takeDeletes();
  }

  /** Takes the messages whose delivery count is to be written. */
  public List<SideMessage<T>> takeDirty() {
    return records.takeCounts();
  }

  /** Called when moves are committed. */
  public void endWrite(List<SideMove<T>> written) {
    for (SideMove<T> move : written) {
      records.written(move);
      if (move.to == null) {
        keys.free(move.lane);
      } else if (move.to.isDue()) {
        delayed.written(move);
      } else {
        keys.written(move);
      }
      if (move.broken) {
        records.loseUnwritable(move.message);
      }
    }
  }

  /** Called when a write failed; all that was taken for it is written again. */
  public void abortWrite(
      List<SideMove<T>> taken, List<SideKey> deletes, List<SideMessage<T>> counts) {
    records.abort(taken, deletes, counts);
  }

  // ---- reading

  /** When there may be something to read, ms since 1970; {@link Long#MAX_VALUE} for never. */
  public long nextDueMs() {
    return purge.isRunning() ? Long.MAX_VALUE : delayed.nextReadMs();
  }

  /** True if messages of a free key are to be read. */
  public boolean wantsKeyRead() {
    return !purge.isRunning() && keys.wantsRead();
  }

  /** The records to read now, or null. */
  public SideLoad beginLoad(long nowMs) {
    if (wantsKeyRead()) {
      return keys.beginRead();
    }
    return nextDueMs() <= nowMs ? delayed.beginRead(nowMs) : null;
  }

  /** Called with the records that {@link #beginLoad} has asked for. */
  public void endLoad(SideLoad load, SideLoad.Found<T> found) {
    if (load.kind() == SideKey.DUE) {
      delayed.endRead(found);
    } else {
      keys.endRead(found);
    }
  }

  // ---- losses

  boolean hasLosses() {
    return records.hasLosses();
  }

  void takeLosses(List<PacketLine.Lost> into) {
    records.takeLosses(into);
  }

  /** Called at the close: the attachments of all messages are lost. */
  public void endClose() {
    delayed.loseAttachments();
    keys.loseAttachments();
    records.loseAttachments();
  }
}
