package dev.weir.queue.line;

import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * The messages that cannot be delivered when their turn in the packets comes, and have left their
 * packets for that: {@link DelayedMessages} wait for a time, {@link KeyQueues} for other messages
 * of the same key.
 *
 * @param <T> the message type
 */
public final class DeferredMessages<T> {
  /** A retry that is due earlier is not written on a full disk. */
  private static final long SOON_MS = 1000;

  private final long maxUnwrittenBytes;
  final DeferredRecords<T> records = new DeferredRecords<>();
  final KeyQueues<T> keys;
  final DelayedMessages<T> delayed;
  private final DeferredPurge<T> purge;
  private final DeferredDrop<T> drop;

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
    this.drop = new DeferredDrop<>(delayed, keys, records);
  }

  /** Starts with what was found on disk. */
  public void recover(DeferredRecovery found) {
    records.recover(found);
    delayed.recover(found);
    keys.recover(found);
  }

  /** The part that purges these messages. */
  public DeferredPurge<T> purge() {
    return purge;
  }

  /** The part that drops these messages when the queue is over its budget. */
  DeferredDrop<T> drop() {
    return drop;
  }

  /** The records to delete next because the queue is over its budget, or null. */
  DeferredLoad nextDrop() {
    return purge.isRunning() ? null : drop.next();
  }

  /** Called with the keys that {@link #nextDrop} has led to. */
  public void dropped(DeferredLoad asked, List<DeferredKey> deleted) {
    drop.deleted(asked, deleted);
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
  public long scheduled() {
    return delayed.scheduled;
  }

  long lost() {
    return records.lost;
  }

  /** Size of the records on disk. */
  public long bytes() {
    return records.bytes;
  }

  /** Size of the messages and the key queues in memory. */
  long heldBytes() {
    return records.unwrittenBytes + delayed.readyBytes() + keys.heldBytes();
  }

  // ---- delivering

  boolean pollable() {
    return !purge.isRunning() && (delayed.hasReady() || keys.hasReady());
  }

  /** True if no message may be taken from a packet at the moment. */
  boolean isBlocked() {
    return purge.isRunning()
        || records.unwrittenBytes > maxUnwrittenBytes
        || keys.isCrowded()
        || keys.isResuming() && keys.isFull();
  }

  /** The next message, or null. A retry still blocks its key; every other message does not yet. */
  TakenMessage<T> poll() {
    if (purge.isRunning()) {
      return null;
    }
    TakenMessage<T> next = delayed.poll();
    return next == null ? keys.poll() : next;
  }

  /** Called when the message polled last is not delivered, or does not block its key. */
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

  /** Changes the delivery count of a message that was polled. */
  void count(DetachedMessage<T> message, int deliveries) {
    message.deliveries = Math.min(Packet.MAX_DELIVERIES, deliveries);
    records.delivered(message);
  }

  // ---- changes

  /** Makes a message wait for a time. If the message blocks its key, the key stays blocked. */
  void schedule(TakenMessage<T> taken, DetachedMessage<T> message, long dueMs) {
    delayed.scheduled++;
    DeferredKey to =
        DeferredKey.due(
            Math.max(0, dueMs),
            message.sequence,
            taken.blockedKeyQueue,
            message.isTransient,
            message.bytes());
    move(new DetachedMove<>(taken, message, to, 0));
  }

  /** Makes a dead letter of a message. Its key becomes free when the dead letter is committed. */
  void bury(TakenMessage<T> taken, DetachedMessage<T> message) {
    move(new DetachedMove<>(taken, message, null, taken.blockedKeyQueue));
  }

  private void move(DetachedMove<T> move) {
    keys.leftDisk(move.from, 1);
    records.move(move);
  }

  /** Deletes a message that is done with. */
  void delete(DetachedMessage<T> message) {
    keys.leftDisk(message.key, 1);
    records.delete(message);
  }

  /** See {@link DelayedMessages#soonMs}. */
  public long soonMs(long nowMs) {
    return delayed.soonMs(nowMs);
  }

  /** Called when a dead letter was put back into the queue. */
  public void requeued(DeferredKey key) {
    delayed.requeued(key);
  }

  /** Called when a message on disk got an earlier time that {@link #soonMs} has named. */
  public void rescheduled(DeferredKey key) {
    delayed.rescheduled(key);
  }

  // ---- writing

  /** True if moves are to be written; nothing new is written while a purge runs. */
  public boolean wantsWrite() {
    return !purge.isRunning() && records.hasMoves();
  }

  public boolean wantsUpkeep() {
    return records.wantsUpkeep();
  }

  /** Takes moves to write. Their messages are in their old places until the moves are committed. */
  public List<DetachedMove<T>> takeMoves(long maxBytes) {
    return records.takeMoves(move -> true, purge.isRunning() ? 0 : maxBytes);
  }

  /**
   * Takes moves to write on a full disk, where each takes space of the reserve: dead letters, which
   * can leave memory in no other way, and what may be on disk already. Others only if memory is
   * full, and none of them is ready soon.
   */
  public List<DetachedMove<T>> takeUrgentMoves(long nowMs, long maxBytes) {
    boolean stuck =
        records.unwrittenBytes > maxUnwrittenBytes && !delayed.hasReady() && !isAnyDueSoon(nowMs);
    return records.takeMoves(
        move -> move.to == null || move.uncertain || stuck, purge.isRunning() ? 0 : maxBytes);
  }

  /** True if a move will be taken back soon, because the time of its message comes. */
  public boolean isAnyDueSoon(long nowMs) {
    return records.anyMove(move -> isDueBy(move, nowMs + SOON_MS));
  }

  private static boolean isDueBy(DetachedMove<?> move, long timeMs) {
    return move.to != null && move.to.isDue() && move.to.order() <= timeMs;
  }

  /**
   * Packets whose progress is not to be written now: on disk, messages that are in them may have
   * left them.
   */
  public Set<Packet<T>> uncertainPackets() {
    return records.uncertainPackets();
  }

  /**
   * Numbers of the dead letters that are not to be shown: a failed write may have left them, and
   * they are written again.
   */
  public Set<Long> uncertainDeadLetters() {
    return records.uncertainDeadLetters();
  }

  /** Numbers of the dead letters whose write has failed, and which are written again. */
  public LongStream unwrittenDeadLetters() {
    return records.unwrittenDeadLetters();
  }

  /** Takes the keys of records to delete. */
  public List<DeferredKey> takeDeletes() {
    return records.takeDeletes();
  }

  /** Takes the messages whose delivery count is to be written. */
  public List<DetachedMessage<T>> takeDirty() {
    return records.takeCounts();
  }

  /** Called when moves are committed. */
  void endWrite(List<DetachedMove<T>> written) {
    records.endWrite();
    for (DetachedMove<T> move : written) {
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

  /**
   * Called when a write failed; all that was taken for it is written again.
   *
   * @param uncertain true if it may have reached the disk
   */
  public void abortWrite(
      List<DetachedMove<T>> taken,
      List<DeferredKey> deletes,
      List<DetachedMessage<T>> counts,
      boolean uncertain) {
    records.abort(taken, deletes, counts, uncertain);
  }

  // ---- reading

  /** When there may be something to read, ms since 1970; {@link Long#MAX_VALUE} for never. */
  public long nextDueMs() {
    return purge.isRunning() ? Long.MAX_VALUE : delayed.nextReadMs();
  }

  /** True if messages of a free key are to be read, or messages are to be dropped. */
  public boolean wantsKeyRead() {
    return !purge.isRunning() && (keys.wantsRead() || drop.isWanted());
  }

  /** The records to read now, or null. */
  public DeferredLoad beginLoad(long nowMs) {
    if (!purge.isRunning() && keys.wantsRead()) {
      return keys.beginRead();
    }
    return nextDueMs() <= nowMs ? delayed.beginRead(nowMs) : null;
  }

  /** Called with the records that {@link #beginLoad} has asked for. */
  public void endLoad(DeferredLoad load, DeferredLoad.Found<T> found) {
    DeferredLoad.Found<T> known = records.withoutFailed(found);
    if (load.kind() == DeferredKey.DUE) {
      delayed.endRead(known);
    } else {
      keys.endRead(known);
    }
  }

  /**
   * Makes messages ready whose time has come, or whose key is free, and whose move is not written.
   * Called while the disk takes no moves, so that failed and delayed messages are handled all the
   * same. A restart finds such a message where it was, without its failed attempts. A move that may
   * be on disk is not taken back: the message would be in two places.
   */
  public void bypassDisk(long nowMs) {
    if (!wantsWrite()) {
      return;
    }
    Set<Long> free = keys.withoutRecords();
    List<DetachedMove<T>> cancelled =
        records.cancelMoves(
            move ->
                !move.uncertain
                    && (isDueBy(move, nowMs) || !move.to.isDue() && free.contains(move.to.lane())));
    for (DetachedMove<T> move : cancelled) {
      keys.leftDisk(move.from, -1);
      if (move.to.isDue()) {
        delayed.bypass(move);
      } else {
        keys.bypass(move);
      }
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
