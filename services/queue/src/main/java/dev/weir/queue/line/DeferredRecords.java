package dev.weir.queue.line;

import dev.weir.queue.QueueException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * The records of deferred messages: the changes that wait for the writer, and what memory keeps of
 * messages on disk.
 *
 * @param <T> the message type
 */
final class DeferredRecords<T> {
  /** Moves that wait for the writer, in order. */
  final ArrayDeque<DetachedMove<T>> moves = new ArrayDeque<>();

  /** How many of them may be on disk. */
  private int uncertainMoves;

  /** Moves that the writer writes now. */
  private List<DetachedMove<T>> writing = List.of();

  /** Moves that a purge gave up while they were written, and whose write failed. */
  private final List<DetachedMove<T>> purged = new ArrayList<>();

  private List<DeferredKey> deletes = new ArrayList<>();

  /** Records that failed writes may have left, of messages that are done with. To be deleted. */
  private final Set<DeferredKey> leftovers = new HashSet<>();

  /** Messages whose delivery count is to be written. */
  private List<DetachedMessage<T>> counts = new ArrayList<>();

  /** Attachments of messages on disk, by sequence. */
  private final Map<Long, Object> attachments = new HashMap<>();

  /** Delivery counts found at the opening, by sequence; each is used once. */
  private Map<Long, Integer> recoveredCounts = new HashMap<>();

  /** How many of the next messages read a crash may have ended without counting the delivery. */
  private int suspects;

  private final List<PacketLine.Lost> losses = new ArrayList<>();

  /** Size of all records on disk. */
  long bytes;

  /** Size of the messages on the way to disk. */
  long unwrittenBytes;

  /** Part of {@link #bytes} whose messages are being handled, or move elsewhere. */
  private long busyBytes;

  /** Messages that cannot be read or written. */
  long lost;

  void recover(DeferredRecovery found) {
    bytes = found.bytes;
    recoveredCounts = found.deliveries;
    suspects = found.suspects;
  }

  // ---- changes

  /** Has the delivery count of a message written that is being handled. */
  void delivered(DetachedMessage<T> message) {
    busy(message, true);
    count(message);
  }

  private void busy(DetachedMessage<T> message, boolean isBusy) {
    if (message.key != null && message.busy != isBusy) {
      message.busy = isBusy;
      busyBytes += isBusy ? message.key.bytes() : -message.key.bytes();
    }
  }

  /** Size of the records whose messages wait. */
  long idleBytes() {
    return bytes - busyBytes;
  }

  void move(DetachedMove<T> move) {
    busy(move.message, true);
    unwrittenBytes += move.message.bytes();
    moves.add(move);
  }

  private static int sizeOf(DeferredKey key) {
    return key == null ? 0 : key.bytes();
  }

  /**
   * Takes back moves that wait for the writer and do not make a dead letter. Their messages stay
   * where they are.
   */
  List<DetachedMove<T>> cancelMoves(Predicate<DetachedMove<T>> which) {
    List<DetachedMove<T>> cancelled = new ArrayList<>();
    moves.removeIf(move -> move.to != null && which.test(move) && cancelled.add(move));
    cancelled.forEach(this::uncount);
    cancelled.forEach(this::taken);
    return cancelled;
  }

  private void taken(DetachedMove<T> move) {
    uncertainMoves -= move.uncertain ? 1 : 0;
  }

  /** The packets that messages may have left, as far as the disk is concerned. */
  Set<Packet<T>> uncertainPackets() {
    if (uncertainMoves == 0) {
      return Set.of();
    }
    Set<Packet<T>> packets = new HashSet<>();
    for (DetachedMove<T> move : moves) {
      if (move.uncertain && move.delivery.packet() != null) {
        packets.add(move.delivery.packet());
      }
    }
    return packets;
  }

  /** Numbers of the dead letters that may be on disk, and are written again. */
  Set<Long> uncertainDeadLetters() {
    if (uncertainMoves == 0) {
      return Set.of();
    }
    Set<Long> numbers = new HashSet<>();
    for (DetachedMove<T> move : moves) {
      if (move.uncertain && move.dead != null) {
        numbers.add(move.dead.number());
      }
    }
    return numbers;
  }

  /** Numbers of the dead letters that have one and are still to be written. */
  LongStream unwrittenDeadLetters() {
    return moves.stream().filter(move -> move.dead != null).mapToLong(move -> move.dead.number());
  }

  private void uncount(DetachedMove<T> move) {
    if (move.uncertain) {
      deletes.add(move.to);
      leftovers.add(move.to);
    }
    busy(move.message, false);
    unwrittenBytes -= move.message.bytes();
  }

  /** Marks the moves that are being written and do not make a dead letter. */
  void purgeWriting() {
    writing.forEach(move -> move.purged = move.to != null);
  }

  /** Takes the marked moves whose write failed. */
  List<DetachedMove<T>> takePurged() {
    List<DetachedMove<T>> taken = List.copyOf(purged);
    purged.clear();
    taken.forEach(this::uncount);
    return taken;
  }

  void delete(DetachedMessage<T> message) {
    busy(message, false);
    bytes -= message.key.bytes();
    deletes.add(message.key);
    if (message.deliveriesOnDisk) {
      deletes.add(DeferredKey.deliveries(message.sequence));
    }
    message.key = null;
  }

  /** Has the delivery count of a message written. */
  private void count(DetachedMessage<T> message) {
    if (!message.dirty) {
      message.dirty = true;
      counts.add(message);
    }
  }

  // ---- writing

  boolean hasMoves() {
    return !moves.isEmpty();
  }

  boolean wantsUpkeep() {
    return !deletes.isEmpty() || !counts.isEmpty();
  }

  boolean anyMove(Predicate<DetachedMove<T>> which) {
    return moves.stream().anyMatch(which);
  }

  /** Takes moves for the writer, at least one if there is any. */
  List<DetachedMove<T>> takeMoves(Predicate<DetachedMove<T>> which, long maxBytes) {
    List<DetachedMove<T>> taken = new ArrayList<>();
    long rest = maxBytes;
    for (Iterator<DetachedMove<T>> all = moves.iterator(); rest > 0 && all.hasNext(); ) {
      DetachedMove<T> move = all.next();
      if (which.test(move)) {
        all.remove();
        taken(move);
        rest -= move.message.bytes();
        taken.add(move);
      }
    }
    writing = taken;
    return taken;
  }

  List<DeferredKey> takeDeletes() {
    List<DeferredKey> taken = deletes;
    deletes = new ArrayList<>();
    return taken;
  }

  List<DetachedMessage<T>> takeCounts() {
    List<DetachedMessage<T>> taken = counts;
    counts = new ArrayList<>();
    taken.forEach(message -> message.dirty = false);
    taken.removeIf(message -> message.key == null);
    taken.forEach(message -> message.deliveriesOnDisk = true);
    return taken;
  }

  void written(DetachedMove<T> move) {
    unwrittenBytes -= move.message.bytes();
    busy(move.message, false);
    bytes += (move.broken ? 0 : sizeOf(move.to)) - sizeOf(move.from);
    move.message.key = move.to;
    move.message.deliveriesOnDisk = false;
  }

  /** Called when all that was taken is committed. */
  void endWrite() {
    writing = List.of();
    if (!leftovers.isEmpty()) {
      leftovers.retainAll(Set.copyOf(deletes));
    }
  }

  /** Called when a write failed: its moves come first in the next one. */
  void abort(
      List<DetachedMove<T>> taken,
      List<DeferredKey> takenDeletes,
      List<DetachedMessage<T>> takenCounts,
      boolean uncertain) {
    for (int i = taken.size() - 1; i >= 0; i--) {
      DetachedMove<T> move = taken.get(i);
      move.uncertain |= uncertain;
      if (move.purged) {
        purged.add(move);
      } else {
        moves.addFirst(move);
        uncertainMoves += move.uncertain ? 1 : 0;
      }
    }
    writing = List.of();
    deletes.addAll(takenDeletes);
    takenCounts.forEach(this::count);
  }

  // ---- messages on disk

  void keepAttachment(DetachedMessage<T> message) {
    if (message.attachment != null) {
      attachments.put(message.sequence, message.attachment);
    }
  }

  /**
   * What was read without the records that a failed write has left: their messages are done with,
   * or are still in their old places and are written again.
   */
  DeferredLoad.Found<T> withoutFailed(DeferredLoad.Found<T> found) {
    if (uncertainMoves == 0 && leftovers.isEmpty()) {
      return found;
    }
    Set<DeferredKey> failed = new HashSet<>(leftovers);
    moves.stream().filter(move -> move.uncertain).forEach(move -> failed.add(move.to));
    List<DeferredLoad.Loaded<T>> known = new ArrayList<>(found.records());
    known.removeIf(loaded -> failed.contains(loaded.key()));
    return new DeferredLoad.Found<>(known, found.exhausted(), found.nextOrder());
  }

  /** Completes a message that was read; false if its record cannot be read. */
  boolean restore(DeferredLoad.Loaded<T> loaded) {
    DetachedMessage<T> message = loaded.message();
    if (message == null || message.raw != null && message.isTransient) {
      lost++;
      bytes -= loaded.key().bytes();
      lose(attachments.remove(loaded.key().sequence()), Reason.CORRUPT);
      return false;
    }
    message.key = loaded.key();
    message.attachment = attachments.remove(message.sequence);
    Integer deliveries = recoveredCounts.remove(message.sequence);
    message.suspect = suspects > 0;
    suspects -= message.suspect ? 1 : 0;
    if (deliveries != null) {
      message.deliveriesOnDisk = true;
      message.deliveries = Math.max(message.deliveries, deliveries);
    }
    return true;
  }

  /** Called when records were deleted whose messages were given up. */
  void deleted(List<DeferredKey> keys, Reason why) {
    for (DeferredKey key : keys) {
      bytes -= key.bytes();
      lose(attachments.remove(key.sequence()), why);
    }
  }

  // ---- losses

  void lose(Object attachment, Reason reason) {
    if (attachment != null) {
      losses.add(new PacketLine.Lost(attachment, reason));
    }
  }

  /** Counts a message that its serde cannot write. */
  void loseUnwritable(DetachedMessage<T> message) {
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
    writing.forEach(move -> loseClosed(move.message.attachment));
    attachments.values().forEach(this::loseClosed);
  }
}
