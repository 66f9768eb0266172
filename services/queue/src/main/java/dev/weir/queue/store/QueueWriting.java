package dev.weir.queue.store;

import dev.weir.queue.Completion;
import dev.weir.queue.Durability;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.DetachedTables;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.DeferredLoad;
import dev.weir.queue.line.DeferredMessages;
import dev.weir.queue.line.DetachedBatch;
import dev.weir.queue.line.DetachedMove;
import dev.weir.queue.line.IdWindow;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketLeft;
import dev.weir.queue.line.PacketLine;
import dev.weir.queue.line.UserCallbacks;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a queue that the store's writer thread calls: what is to be written in the next
 * transaction, and what follows from its outcome.
 *
 * @param <T> the message type
 */
final class QueueWriting<T> {
  private static final Logger LOG = LoggerFactory.getLogger(QueueWriting.class);

  private final StoreEngine store;
  private final StoredQueue<T> queue;
  private final QueueState<T> state;

  QueueWriting(StoreEngine store, StoredQueue<T> queue, QueueState<T> state) {
    this.store = store;
    this.queue = queue;
    this.state = state;
  }

  /** What a transaction may hold, by the space that the disk has left. */
  enum Extent {
    /** Only what frees space: deletes and progress. */
    DELETES,
    /** Messages too that have to move to another table, of queues that can do nothing else. */
    LAST_MOVES,
    /** Messages too that have to move to another table, and free their old place. */
    MOVES,
    /** All messages that have to move, which is what {@link ScheduleRelease} waits for. */
    ALL_MOVES,
    /** New messages too. */
    ALL
  }

  /** Takes what is to be written. */
  WriteBatch<T> begin(Extent extent) {
    WriteBatch<T> batch;
    int newWork;
    state.lock();
    try {
      List<Packet<T>> packets =
          extent == Extent.ALL && state.mayWritePackets()
              ? state.packets.beginWrite(store.options().getBatchBytes())
              : List.of();
      DetachedBatch<T> beside = beginDeferred(takeMoves(extent), packets);
      batch =
          new WriteBatch<>(
              queue,
              packets,
              state.packets.upkeep().takeDeletes(),
              state.packets.upkeep().takeDirty(state.deferred.uncertainPackets()),
              beside);
      if (!batch.isEmpty()) {
        state.dispatcher.counted().beginWrite();
        // What the transaction may not hold yet is left in the upkeep.
        state.purges.beginWrite(state.packets.isPurged() && state.packets.upkeep().isEmpty());
      }
      newWork = state.publish();
    } finally {
      state.unlock();
    }
    state.wake(newWork);
    return batch;
  }

  /** Called when there was nothing to write: that may be what a purge waits for. */
  void endEmpty() {
    if (!state.locked(state.purges::isEmpty)) {
      state.change(() -> {});
    }
  }

  private List<DetachedMove<T>> takeMoves(Extent extent) {
    long maxBytes = store.options().getBatchBytes();
    long nowMs = state.nowMs();
    return switch (extent) {
      case DELETES -> List.of();
      case LAST_MOVES -> state.deferred.takeUrgentMoves(nowMs, isBusy(nowMs) ? 0 : maxBytes);
      case MOVES -> state.deferred.takeUrgentMoves(nowMs, maxBytes);
      case ALL_MOVES, ALL -> state.deferred.takeMoves(maxBytes);
    };
  }

  /** True while the consumer can be given messages, now or soon. */
  private boolean isBusy(long nowMs) {
    return state.dispatcher.pollable() || state.deferred.isAnyDueSoon(nowMs);
  }

  private DetachedBatch<T> beginDeferred(List<DetachedMove<T>> moves, List<Packet<T>> packets) {
    for (DetachedMove<T> move : moves) {
      if (move.to == null && move.dead == null) {
        move.dead = state.dead.name(move.message);
      }
    }
    List<IdWindow.Written> written = new ArrayList<>(state.ids.takeChanged());
    for (Packet<T> packet : packets) {
      IdWindow.Written ids = IdWindow.beginWrite(packet);
      if (ids != null) {
        written.add(ids);
      }
    }
    return new DetachedBatch<>(
        moves,
        PacketLeft.of(moves),
        state.deferred.takeDeletes(),
        state.deferred.takeDirty(),
        written,
        state.ids.takeGone());
  }

  /**
   * Called when a batch is committed: completes the senders, unless its packets or those of a batch
   * before it are still to reach the device.
   */
  void end(WriteBatch<T> batch, long writtenBytes) {
    boolean isForced = batch.durability() == Durability.MACHINE;
    complete(
        () -> {
          // Acknowledgements do not take the place of packets that could be written.
          if (!batch.packets().isEmpty()) {
            state.committed.add(batch, writtenBytes, !isForced);
          }
        },
        () -> {
          movesWritten(batch.detached().moves());
          state.purges.endWrite();
        });
  }

  /**
   * Called when the packets of a batch are on the device: completes the senders.
   *
   * @param isForced false if it is not known whether the device has the packets
   * @return false if {@link #abortForce} is to follow on the writer thread
   */
  boolean endForce(WriteBatch<T> batch, boolean isForced) {
    if (!isForced) {
      return !state.locked(() -> state.committed.failed(batch));
    }
    complete(() -> state.committed.forced(batch), () -> {});
    return true;
  }

  /**
   * Has the packets of a batch written again, and those of all batches behind it; false if that was
   * done.
   */
  boolean abortForce(WriteBatch<T> batch) {
    List<WriteBatch<T>> givenUp = new ArrayList<>();
    state.change(
        () -> {
          givenUp.addAll(state.committed.giveUp(batch));
          givenUp.forEach(each -> state.packets.abortWrite(each.packets()));
        });
    return !givenUp.isEmpty();
  }

  /** True while packets are on their way to the device. */
  boolean isSyncing() {
    return state.locked(() -> !state.committed.isEmpty());
  }

  private void packetsWritten(CommittedBatches.Ended<T> ended) {
    state.packets.endWrite(ended.batch().packets());
    state.counters.written(ended.batch().packets(), ended.writtenBytes());
  }

  private void movesWritten(List<DetachedMove<T>> moves) {
    state.dispatcher.counted().endWrite();
    state.dispatcher.endMoves(moves);
    for (DetachedMove<T> move : moves) {
      if (move.to == null && !move.broken) {
        state.dead.add(move.dead);
      }
    }
    state.limits.keepBudget(state.dispatcher);
  }

  /** Completes the senders of the batches that end with a change, before another change. */
  private void complete(Runnable change, Runnable after) {
    List<CommittedBatches.Ended<T>> ended = new ArrayList<>(1);
    Runnable then =
        state.changeAndGet(
            () -> {
              change.run();
              ended.addAll(state.committed.takeEnded());
              ended.forEach(this::packetsWritten);
              after.run();
            });
    // The writer begins while thousands of senders are completed.
    state.wakeWriterIfDue();
    state.signalIfDue();
    ended.forEach(each -> each.batch().packets().forEach(this::complete));
    then.run();
  }

  private void complete(Packet<T> packet) {
    Completion[] completions = packet.completions;
    packet.completions = null;
    for (int i = 0; completions != null && i < packet.count; i++) {
      if (completions[i] != null) {
        if (packet.isBroken(i)) {
          UserCallbacks.complete(completions[i], state.limits.failure(Reason.UNWRITABLE));
        } else {
          UserCallbacks.complete(completions[i], packet.firstSequence + i);
        }
      }
    }
  }

  /** Called when a batch was not committed. */
  void abort(WriteBatch<T> batch) {
    state.change(
        () -> {
          state.dispatcher.counted().abortWrite();
          state.packets.abortWrite(batch.packets());
          state.packets.upkeep().abort(batch.deletes(), batch.dirty());
          DetachedBatch<T> beside = batch.detached();
          state.deferred.abortWrite(
              beside.moves(), beside.deletes(), beside.deliveries(), !store.files().isValid());
          state.ids.giveBack(beside.goneIds());
          state.purges.abortWrite();
        });
  }

  /** Called when the store cannot write: fails durable sends, unless their senders are to wait. */
  void storeFault(Reason reason) {
    if (!state.admission.blocks()) {
      failDurable(reason);
    }
  }

  private void failDurable(Reason reason) {
    List<Completion> senders = new ArrayList<>();
    state.changeAndSignal(() -> senders.addAll(state.packets.failDurable()));
    QueueException failure = state.limits.failure(reason);
    senders.forEach(completion -> UserCallbacks.complete(completion, failure));
  }

  /**
   * Called while the disk takes no moves, see {@link DeferredMessages#bypassDisk}. True if it is to
   * be called again soon.
   */
  boolean bypassDisk() {
    if (!state.locked(state.deferred::wantsWrite)) {
      return false;
    }
    state.changeAndSignal(() -> state.deferred.bypassDisk(state.nowMs()));
    return state.locked(state.deferred::wantsWrite);
  }

  /** Called when the store can write again. */
  void storeRecovered() {
    state.change(() -> {});
  }

  /** Reads deferred messages that are due, or that are next for a free key; drops the oldest. */
  void readDeferred(JeFiles files) {
    DeferredLoad drop = nextDrop();
    if (drop != null) {
      List<DeferredKey> dropped = DetachedTables.purge(files, queue.name(), drop);
      state.changeAndSignal(() -> state.deferred.dropped(drop, dropped));
    }
    DeferredLoad load =
        state.locked(() -> state.closed ? null : state.deferred.beginLoad(state.nowMs()));
    if (load != null) {
      DeferredLoad.Found<T> found = DetachedTables.read(files, queue.name(), queue.serde(), load);
      state.changeAndSignal(() -> state.deferred.endLoad(load, found));
    }
  }

  /**
   * Publishes also that nothing is left to drop; otherwise the writer would look for it forever.
   */
  private DeferredLoad nextDrop() {
    DeferredLoad[] next = new DeferredLoad[1];
    state.change(() -> next[0] = state.closed ? null : state.dispatcher.nextDrop());
    return next[0];
  }

  /** Notes on disk that all deliveries are counted there, if that is so. */
  void noteClosed() {
    if ((queue.work() & QueueWork.UPKEEP) != 0 || store.fault() != null) {
      return;
    }
    store.files().beginUse();
    try {
      QueueTables.closed(store.files(), queue.name());
    } catch (RuntimeException e) {
      // The next opening takes the queue for one that was not closed, which costs some time.
      LOG.debug("queue {} is closed, and the disk does not say so", queue.name(), e);
    } finally {
      store.files().endUse();
    }
  }

  /** Called when all is written that can be written: ends the queue. */
  void endClose() {
    failDurable(Reason.CLOSED);
    List<PacketLine.Lost> lost;
    List<Runnable> unpurged;
    state.lock();
    try {
      if (state.packets.hasUnwritten()) {
        LOG.error(
            "queue {}: {} messages could not be written",
            queue.name(),
            state.packets.unwrittenKept());
      }
      state.packets.endClose();
      state.deferred.endClose();
      lost = state.dispatcher.takeLosses();
      unpurged = state.purges.fail(state.limits.failure(Reason.CLOSED));
      store.forget(queue);
      state.gone();
    } finally {
      state.unlock();
    }
    state.react(0, lost);
    unpurged.forEach(Runnable::run);
    queue.ended();
  }
}
