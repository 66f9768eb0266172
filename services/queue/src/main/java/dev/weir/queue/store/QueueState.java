package dev.weir.queue.store;

import dev.weir.queue.LossListener;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.line.DeadBook;
import dev.weir.queue.line.DeferredMessages;
import dev.weir.queue.line.Dispatcher;
import dev.weir.queue.line.IdWindow;
import dev.weir.queue.line.PacketLine;
import dev.weir.queue.line.QueueCounters;
import dev.weir.queue.line.QueueLimits;
import dev.weir.queue.line.QueueRecovery;
import dev.weir.queue.line.UserCallbacks;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The state of an open queue behind one lock, and the signals that follow from its changes. The
 * lock is held for memory operations only; no user callback runs under it.
 *
 * @param <T> the message type
 */
final class QueueState<T> {
  final QueueOptions options;
  final QueueLimits limits;
  final PacketLine<T> packets;
  final DeferredMessages<T> deferred;
  final Dispatcher<T> dispatcher;
  final IdWindow ids;
  final DeadBook dead;
  final QueueAdmission<T> admission;
  final Purges purges = new Purges();
  final QueueCounters counters = new QueueCounters();

  private final StoreEngine store;
  private final LossListener losses;
  private final ReentrantLock lock = new ReentrantLock();

  // Written under the lock, read by any thread.
  private volatile long waiting;
  private volatile long nextTimeMs;
  private volatile int work;

  private Runnable readable = () -> {};

  /** True if the consumer found nothing and wants to be told when there is something. */
  private boolean starved;

  /** True from the start of the close: no message is added or delivered. */
  boolean closed;

  final CommittedBatches<T> committed = new CommittedBatches<>();

  /** True after the close: the threads of the store have no more work with this queue. */
  private boolean gone;

  QueueState(
      StoreEngine store,
      String name,
      QueueOptions options,
      LossListener losses,
      QueueRecovery recovery) {
    this.store = store;
    this.options = options;
    this.losses = losses;
    this.limits = new QueueLimits(name, options, store.options(), store.buffers(), store.heap());
    this.ids = recovery.ids;
    this.dead = recovery.dead;
    this.packets = limits.newPackets(ids);
    this.deferred = limits.newDeferred(recovery.nextSequence());
    this.dispatcher =
        new Dispatcher<>(packets, deferred, options, store.clock(), recovery.releasedBefore);
    this.admission =
        new QueueAdmission<>(store, options, limits, packets, dispatcher, ids, counters);
    packets.recover(recovery);
    deferred.recover(recovery.detached);
    deferred.resume(packets.takenBefore());
    counters.recoveredTransient = recovery.transients() + recovery.detached.transients;
    counters.recovered =
        recovery.alive() + recovery.detached.messages() + counters.recoveredTransient;
    limits.keepBudget(dispatcher);
    publish();
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  // ---- what other threads see

  long waiting() {
    return waiting;
  }

  /** When deferred messages or dead letters need the writer, ms since 1970. */
  long nextTimeMs() {
    return nextTimeMs;
  }

  /** Bits of {@link QueueWork}. */
  int work() {
    return work;
  }

  long nowMs() {
    return store.clock().nowMs();
  }

  /**
   * Ends every section under the lock that changed something: updates what other threads read
   * without the lock. Returns the work that is new, for {@link #wake}: what other queues hold
   * decides too, so any section may find new work.
   */
  int publish() {
    limits.settle(dispatcher, gone ? 0 : dispatcher.heldBytes() + admission.heldBytes());
    long nowWaiting = dispatcher.waiting();
    if (waiting != nowWaiting) {
      waiting = nowWaiting;
      // A consumer that sees this does not poll, although what it left was not taken: the messages
      // were purged or dropped, or could not be written.
      starved |= nowWaiting == 0;
    }
    long nowNextMs = Math.min(deferred.nextDueMs(), dead.nextTrimMs(options.getDeadLetters()));
    if (nextTimeMs != nowNextMs) {
      nextTimeMs = nowNextMs;
    }
    int before = work;
    int now = gone ? 0 : toDo();
    if (now != before) {
      work = now;
    }
    return now & ~before;
  }

  private int toDo() {
    int now = closed ? QueueWork.CLOSE : 0;
    now |= mayWritePackets() || deferred.wantsWrite() ? QueueWork.WRITE : 0;
    now |= wantsUpkeep() ? QueueWork.UPKEEP : 0;
    now |= !closed && dispatcher.counted().wantsWrite() ? QueueWork.COUNT : 0;
    now |= !closed && starved && dispatcher.pollable() ? QueueWork.SIGNAL : 0;
    now |= !closed && packets.wantsLoad() ? QueueWork.READ : 0;
    now |= !closed && wantsDeferredRead() ? QueueWork.READ_DEFERRED : 0;
    return now;
  }

  /** True if packets are to be written, and may be while others are forced; under the lock. */
  boolean mayWritePackets() {
    return packets.wantsWrite() && committed.takesMore(packets.hasFullPacket());
  }

  private boolean wantsUpkeep() {
    return !packets.upkeep().isEmpty() || deferred.wantsUpkeep() || ids.wantsUpkeep();
  }

  private boolean wantsDeferredRead() {
    return deferred.wantsKeyRead() || nextTimeMs != Long.MAX_VALUE && nextTimeMs <= nowMs();
  }

  /** Wakes the threads that new work needs, and reports losses. Called without the lock. */
  void react(int newWork, List<PacketLine.Lost> lost) {
    wake(newWork);
    UserCallbacks.lost(losses, lost);
  }

  /** Wakes the threads that new work needs. Called without the lock. */
  void wake(int newWork) {
    if ((newWork & ~QueueWork.READ) != 0) {
      store.wakeWriter();
    }
    if ((newWork & QueueWork.READ) != 0) {
      store.wakeReader();
    }
  }

  // ---- the consumer's signal

  /** Notes under the lock whether the consumer found nothing. */
  void starved(boolean isStarved) {
    starved = isStarved;
  }

  void onReadable(Runnable listener) {
    change(
        () -> {
          readable = listener;
          starved = true;
        });
  }

  /** Tells a consumer that found nothing to poll again; on a thread of the store. */
  void signal() {
    Runnable listener = null;
    int newWork;
    lock.lock();
    try {
      if (starved && !closed && dispatcher.pollable()) {
        starved = false;
        listener = readable;
      }
      newWork = publish();
    } finally {
      lock.unlock();
    }
    wake(newWork);
    if (listener != null) {
      UserCallbacks.readable(listener);
    }
  }

  void wakeWriterIfDue() {
    if ((work & QueueWork.WRITE) != 0) {
      store.wakeWriter();
    }
  }

  void signalIfDue() {
    if ((work & QueueWork.SIGNAL) != 0) {
      signal();
    }
  }

  // ---- changes that are not on the path of every message

  /** Reads under the lock. */
  <V> V locked(Supplier<V> read) {
    lock.lock();
    try {
      return read.get();
    } finally {
      lock.unlock();
    }
  }

  /** Changes the state under the lock, then reacts to the change. */
  void change(Runnable change) {
    changeAndGet(change).run();
  }

  /** As {@link #change} on a thread of the store, which signals the consumer at once. */
  void changeAndSignal(Runnable change) {
    Runnable then = changeAndGet(change);
    signalIfDue();
    then.run();
  }

  /** Changes the state under the lock; returns the reaction, to be run without the lock. */
  Runnable changeAndGet(Runnable change) {
    lock.lock();
    try {
      change.run();
      admission.admitBlocked();
      List<PacketLine.Lost> lost = dispatcher.takeLosses();
      List<Runnable> purged =
          purges.isEmpty()
              ? List.of()
              : purges.takeDone(packets.isPurged(), !wantsUpkeep(), dispatcher.purged());
      int newWork = publish();
      return () -> {
        react(newWork, lost);
        purged.forEach(Runnable::run);
      };
    } finally {
      lock.unlock();
    }
  }

  /** Marks the queue as gone, under the lock. */
  void gone() {
    gone = true;
    ids.close();
    publish();
  }
}
