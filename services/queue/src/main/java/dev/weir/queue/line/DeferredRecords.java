package dev.weir.queue.line;

import dev.weir.queue.QueueException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The records of deferred messages: the changes that wait for the writer, and what memory keeps of
 * messages on disk.
 *
 * @param <T> the message type
 */
final class DeferredRecords<T> {
  /** Moves that the writer has not taken. */
  private final ArrayDeque<SideMove<T>> moves = new ArrayDeque<>();

  /** Moves that the writer took and could not commit. Their messages have left their packets. */
  private final ArrayDeque<SideMove<T>> failedMoves = new ArrayDeque<>();

  private List<SideKey> deletes = new ArrayList<>();

  /** Messages whose delivery count is to be written. */
  private List<SideMessage<T>> counts = new ArrayList<>();

  /** Attachments of messages on disk, by sequence. */
  private final Map<Long, Object> attachments = new HashMap<>();

  /** Delivery counts found at the opening, by sequence; each is used once. */
  private Map<Long, Integer> recoveredCounts = new HashMap<>();

  private final List<PacketLine.Lost> losses = new ArrayList<>();

  /** Size of all records, on disk or on the way there. */
  long bytes;

  /** Size of the messages on the way to disk. */
  long unwrittenBytes;

  /** Messages that cannot be read or written. */
  long lost;

  void recover(SideRecovery found) {
    bytes = found.bytes;
    recoveredCounts = found.deliveries;
  }

  // ---- changes

  void move(SideMove<T> move) {
    bytes += sizeOf(move.to) - sizeOf(move.from);
    unwrittenBytes += move.message.bytes();
    moves.add(move);
  }

  private static int sizeOf(SideKey key) {
    return key == null ? 0 : key.bytes();
  }

  /** Takes back the moves that do not make a dead letter. */
  List<SideMove<T>> cancelMoves() {
    List<SideMove<T>> cancelled = new ArrayList<>();
    moves.removeIf(move -> move.to != null && cancelled.add(move));
    for (SideMove<T> move : cancelled) {
      bytes -= sizeOf(move.to) - sizeOf(move.from);
      unwrittenBytes -= move.message.bytes();
    }
    return cancelled;
  }

  void delete(SideMessage<T> message) {
    bytes -= message.key.bytes();
    deletes.add(message.key);
    if (message.deliveriesOnDisk) {
      deletes.add(SideKey.deliveries(message.sequence));
    }
    message.key = null;
  }

  /** Has the delivery count of a message written. */
  void count(SideMessage<T> message) {
    if (!message.dirty) {
      message.dirty = true;
      counts.add(message);
    }
  }

  // ---- writing

  boolean hasMoves() {
    return !moves.isEmpty();
  }

  boolean hasFailedMoves() {
    return !failedMoves.isEmpty();
  }

  boolean wantsUpkeep() {
    return !deletes.isEmpty() || !counts.isEmpty();
  }

  /**
   * Takes moves for the writer, those that failed before first.
   *
   * @param fresh false to take only those that failed before
   */
  List<SideMove<T>> takeMoves(boolean fresh, long maxBytes) {
    List<SideMove<T>> taken = new ArrayList<>(failedMoves);
    failedMoves.clear();
    long rest = maxBytes;
    while (fresh && rest > 0 && !moves.isEmpty()) {
      SideMove<T> move = moves.poll();
      rest -= move.message.bytes();
      taken.add(move);
    }
    return taken;
  }

  List<SideKey> takeDeletes() {
    List<SideKey> taken = deletes;
    deletes = new ArrayList<>();
    return taken;
  }

  List<SideMessage<T>> takeCounts() {
    List<SideMessage<T>> taken = counts;
    counts = new ArrayList<>();
    taken.forEach(message -> message.dirty = false);
    taken.removeIf(message -> message.key == null);
    taken.forEach(message -> message.deliveriesOnDisk = true);
    return taken;
  }

  void written(SideMove<T> move) {
    unwrittenBytes -= move.message.bytes();
    move.message.key = move.to;
    move.message.deliveriesOnDisk = false;
  }

  void abort(
      List<SideMove<T>> taken, List<SideKey> takenDeletes, List<SideMessage<T>> takenCounts) {
    failedMoves.addAll(taken);
    deletes.addAll(takenDeletes);
    takenCounts.forEach(this::count);
  }

  // ---- messages on disk

  void keepAttachment(SideMessage<T> message) {
    if (message.attachment != null) {
      attachments.put(message.sequence, message.attachment);
    }
  }

  /** Completes a message that was read; false if its record cannot be read. */
  boolean restore(SideLoad.Loaded<T> loaded) {
    SideMessage<T> message = loaded.message();
    if (message == null || message.message == null) {
      lost++;
      bytes -= loaded.key().bytes();
      lose(attachments.remove(loaded.key().sequence()), Reason.CORRUPT);
      return false;
    }
    message.key = loaded.key();
    message.attachment = attachments.remove(message.sequence);
    Integer deliveries = recoveredCounts.remove(message.sequence);
    if (deliveries != null) {
      message.deliveriesOnDisk = true;
      message.deliveries = Math.max(message.deliveries, deliveries);
    }
    return true;
  }

  /** Called when a record was deleted by a purge. */
  void purged(SideKey key) {
    bytes -= key.bytes();
    lose(attachments.remove(key.sequence()), Reason.PURGED);
  }

  // ---- losses

  void lose(Object attachment, Reason reason) {
    if (attachment != null) {
      losses.add(new PacketLine.Lost(attachment, reason));
    }
  }

  /** Counts a message that its serde cannot write. */
  void loseUnwritable(SideMessage<T> message) {
    lost++;
    lose(message.attachment, Reason.UNWRITABLE);
  }

  void loseClosed(Object attachment) {
    lose(attachment, Reason.CLOSED);
  }

  boolean hasLosses() {
    return !losses.isEmpty();
  }

  void takeLosses(List<PacketLine.Lost> into) {
    into.addAll(losses);
    losses.clear();
  }

  void loseAttachments() {
    moves.forEach(move -> loseClosed(move.message.attachment));
    failedMoves.forEach(move -> loseClosed(move.message.attachment));
    attachments.values().forEach(this::loseClosed);
  }
}
