package dev.weir.queue.store;

import dev.weir.queue.Checks;
import dev.weir.queue.Completion;
import dev.weir.queue.DeadLetters;
import dev.weir.queue.Delivery;
import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.LossListener;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.OverflowPolicy;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStats;
import dev.weir.queue.Serde;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.line.DeadBook;
import dev.weir.queue.line.DiskRegion;
import dev.weir.queue.line.Dispatcher;
import dev.weir.queue.line.IdWindow;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketLine;
import dev.weir.queue.line.Purges;
import dev.weir.queue.line.QueueCounters;
import dev.weir.queue.line.QueueLimits;
import dev.weir.queue.line.QueueRecovery;
import dev.weir.queue.line.RecordSizes;
import dev.weir.queue.line.SideBatch;
import dev.weir.queue.line.SideKey;
import dev.weir.queue.line.SideLine;
import dev.weir.queue.line.SideLoad;
import dev.weir.queue.line.SideMove;
import dev.weir.queue.line.TakenMessage;
import dev.weir.queue.line.Tell;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of a {@link StoreEngine}: puts a lock around its {@link PacketLine}, applies the limits,
 * and wakes the store's threads. Locks are held for memory operations only; nothing that users gave
 * us is called under one.
 */
public final class JeQueue<T> implements DurableQueue<T> {
  private static final Logger LOG = LoggerFactory.getLogger(JeQueue.class);
  private static final int PURGE_PART = 1000;

  // What there is to do for the store's threads, as bits of `work`.
  /** Messages are to be written. */
  static final int WRITE = 1;

  /** Acknowledgements are to be written. */
  public static final int UPKEEP = 2;

  /** The consumer is to be told that there is something. */
  static final int SIGNAL = 4;

  /** The queue is to be closed. */
  static final int CLOSE = 8;

  /** Packets are to be read. */
  static final int READ = 16;

  /** Messages that waited for their time or turn are to be read. */
  static final int LOAD = 32;

  private record Parked<T>(
      T message,
      int sizeBytes,
      MessageOptions options,
      Durability durability,
      Completion completion) {}

  private final StoreEngine store;
  private final String name;
  private final Serde<T> serde;
  private final QueueOptions options;
  private final LossListener losses;
  private final QueueLimits limits;
  private final QueueRecovery recovery;
  private final ReentrantLock lock = new ReentrantLock();
  private final PacketLine<T> line;
  private final SideLine<T> side;
  private final Dispatcher<T> dispatcher;
  private final IdWindow ids;
  private final DeadBook dead;
  private final JeDeadLetters<T> deadLetters;
  private final ArrayDeque<Parked<T>> parked = new ArrayDeque<>();
  private final Purges purges = new Purges();
  private final QueueCounters counters = new QueueCounters();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private volatile long waiting;
  private volatile long nextTimeMs;
  private volatile int work;
  private Runnable readable = () -> {};
  private boolean starved;
  private boolean closed;
  private boolean gone;

  JeQueue(
      StoreEngine store,
      String name,
      Serde<T> serde,
      QueueOptions options,
      LossListener losses,
      QueueRecovery recovery) {
    this.store = store;
    this.name = name;
    this.serde = serde;
    this.options = options;
    this.losses = losses;
    this.limits = new QueueLimits(name, options, store.options());
    this.recovery = recovery;
    this.line = limits.newLine();
    this.side = limits.newSideLine(recovery.nextSequence());
    this.dispatcher = new Dispatcher<>(line, side, options, store.clock());
    this.ids = recovery.ids;
    this.dead = recovery.dead;
    this.deadLetters = new JeDeadLetters<>(store.tasks(), store.files(), this, dead, side);
    line.ids = ids;
    line.recover(recovery);
    side.recover(recovery.side);
    side.resume(line.takenBefore());
    counters.recoveredTransient = recovery.transients() + recovery.side.transients;
    counters.recovered = recovery.alive() + recovery.side.messages() + counters.recoveredTransient;
    publish();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public QueueStats stats() {
    lock.lock();
    try {
      return counters.snapshot(dispatcher, dead);
    } finally {
      lock.unlock();
    }
  }

  /** For tests, see {@link PacketLine#check()}. */
  public void check() {
    lock.lock();
    try {
      line.check();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long waiting() {
    return waiting;
  }

  /** What there is to do; any thread. */
  public int work() {
    return work;
  }

  Serde<T> serde() {
    return serde;
  }

  QueueOptions options() {
    return options;
  }

  /**
   * Ends every section under the lock that changed something: shows other threads what they look at
   * without it. Returns what there is to do now and was not before.
   */
  private int publish() {
    long nowWaiting = dispatcher.waiting();
    if (waiting != nowWaiting) {
      waiting = nowWaiting;
    }
    long nowNextMs = Math.min(side.nextDueMs(), dead.nextTrimMs(options.getDeadLetters()));
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
    int now = closed ? CLOSE : 0;
    now |= line.wantsWrite() || side.wantsWrite() ? WRITE : 0;
    now |= wantsUpkeep() ? UPKEEP : 0;
    now |= !closed && starved && dispatcher.pollable() ? SIGNAL : 0;
    now |= !closed && line.wantsLoad() ? READ : 0;
    now |= !closed && wantsSideLoad() ? LOAD : 0;
    return now;
  }

  private boolean wantsUpkeep() {
    return !line.upkeep().isEmpty() || side.wantsUpkeep() || ids.wantsUpkeep();
  }

  private boolean wantsSideLoad() {
    return side.wantsLaneLoad()
        || nextTimeMs != Long.MAX_VALUE && nextTimeMs <= store.clock().nowMs();
  }

  /** Without the lock. */
  private void react(int fresh, List<PacketLine.Lost> lost) {
    if ((fresh & ~READ) != 0) {
      store.wakeWriter();
    }
    if ((fresh & READ) != 0) {
      store.wakeReader();
    }
    Tell.lost(losses, lost);
  }

  // ---- appending

  @Override
  public Admission offer(T message, MessageOptions its, Object attachment, boolean keep) {
    if (Checks.notNull("options", its).id() != null) {
      throw new IllegalArgumentException("id is " + its.id() + ", allowed is none in an offer");
    }
    MessageOptions given = options(its);
    int sizeBytes = size(message);
    Reason refusal;
    List<PacketLine.Lost> lost;
    int fresh;
    lock.lock();
    try {
      refusal = refuse(sizeBytes);
      if (refusal == null) {
        refusal = parked.isEmpty() ? admit(sizeBytes, given) : Reason.QUEUE_FULL;
      }
      if (refusal == null) {
        line.append(message, sizeBytes, given, keep ? 0 : Packet.TRANSIENT, attachment);
      } else {
        counters.rejected++;
      }
      lost = dispatcher.takeLosses();
      fresh = publish();
    } finally {
      lock.unlock();
    }
    react(fresh, lost);
    return refusal == null ? Admission.ACCEPTED : Admission.valueOf(refusal.name());
  }

  /** Null for none. */
  private MessageOptions options(MessageOptions its) {
    MessageOptions given = its;
    if (options.getTtlMs() > 0) {
      long endMs = store.clock().nowMs() + options.getTtlMs();
      if (its.expiresAtMs() == 0 || its.expiresAtMs() > endMs) {
        given = its.withExpiresAtMs(endMs);
      }
    }
    return given.isNone() ? null : given;
  }

  @Override
  public void append(T message, MessageOptions its, Durability durability, Completion completion) {
    Checks.notNull("durability", durability);
    Checks.notNull("completion", completion);
    MessageOptions given = options(Checks.notNull("options", its));
    Parked<T> next = new Parked<>(message, size(message), given, durability, completion);
    Reason refusal;
    Runnable after = null;
    List<PacketLine.Lost> lost;
    int fresh;
    lock.lock();
    try {
      refusal = refuse(next.sizeBytes);
      IdWindow.Use use = refusal == null ? find(given) : null;
      if (use != null) {
        after = join(use, next);
      } else if (refusal == null) {
        refusal = admit(next);
        after = refusal == null && durability == Durability.NONE ? done(next) : null;
      }
      if (refusal != null) {
        counters.rejected++;
      }
      lost = dispatcher.takeLosses();
      fresh = publish();
    } finally {
      lock.unlock();
    }
    if (refusal != null) {
      Tell.completed(completion, limits.failure(refusal));
    }
    if (after != null) {
      after.run();
    }
    react(fresh, lost);
  }

  private static Runnable done(Parked<?> next) {
    return () -> Tell.completed(next.completion, null);
  }

  /** Where the message is already, or null. */
  private IdWindow.Use find(MessageOptions given) {
    boolean known = given != null && given.id() != null && !ids.isOff();
    return known ? ids.find(given.id(), store.clock().nowMs()) : null;
  }

  /**
   * Completes an append together with the first one of the same id. Returns what to do without the
   * lock, or null if there is nothing to do before the first is durable.
   */
  private Runnable join(IdWindow.Use use, Parked<T> next) {
    counters.duplicates++;
    Packet<?> packet = use.block().uncommitted();
    if (next.durability == Durability.NONE) {
      return done(next);
    }
    if (packet != null && line.requireToo(packet, use.index(), next.durability, next.completion)) {
      return null;
    }
    boolean enough = packet != null || next.durability.compareTo(use.block().durability()) <= 0;
    return enough ? done(next) : () -> flush(next.completion);
  }

  private void flush(Completion completion) {
    store
        .tasks()
        .submit(
            () -> {
              store.files().flush();
              return null;
            })
        .whenComplete(
            (done, failure) ->
                Tell.completed(
                    completion,
                    failure == null || failure instanceof QueueException
                        ? (QueueException) failure
                        : limits.failure(Reason.STORE_FAILED)));
  }

  private int size(T message) {
    int sizeBytes = serde.sizeBytes(Checks.notNull("message", message));
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("sizeBytes is " + sizeBytes + ", allowed is 0 or more");
    }
    return sizeBytes;
  }

  /** What no waiting helps against, or null. */
  private Reason refuse(int sizeBytes) {
    return closed ? Reason.CLOSED : limits.isTooLarge(sizeBytes) ? Reason.MESSAGE_TOO_LARGE : null;
  }

  /** Null if there is room. */
  private Reason admit(int sizeBytes, MessageOptions given) {
    return limits.admit(line, side.bytes, sizeBytes + RecordSizes.optionsBytes(given));
  }

  /** Null if the message was appended or parked. */
  private Reason admit(Parked<T> next) {
    Reason refusal = next.durability == Durability.NONE ? null : store.fault();
    if (refusal == null) {
      refusal = parked.isEmpty() ? admit(next.sizeBytes, next.options) : Reason.QUEUE_FULL;
    }
    if (refusal == null) {
      add(next);
    } else if (blocks()
        && next.durability != Durability.NONE
        && parked.size() < options.getMaxBlocked()) {
      parked.add(next);
      refusal = null;
    }
    return refusal;
  }

  private void add(Parked<T> next) {
    line.append(next.message, next.sizeBytes, next.options, (byte) 0, null);
    if (next.options != null && next.options.id() != null && !ids.isOff()) {
      ids.add(next.options.id(), line.open(), store.clock().nowMs());
    }
    if (next.durability != Durability.NONE) {
      line.require(next.durability, next.completion);
    }
  }

  private boolean blocks() {
    return options.getPolicy() == OverflowPolicy.BLOCK;
  }

  private void admitParked() {
    while (!parked.isEmpty()
        && store.fault() == null
        && admit(parked.peek().sizeBytes, parked.peek().options) == null) {
      Parked<T> next = parked.poll();
      IdWindow.Use use = find(next.options);
      if (use == null) {
        add(next);
      } else {
        Runnable after = join(use, next);
        if (after != null) {
          // Completions are not called under the lock.
          store.tasks().run(after);
        }
      }
    }
  }

  // ---- consuming

  @Override
  public Delivery<T> poll() {
    Delivery<T> delivery;
    List<PacketLine.Lost> lost;
    int fresh;
    lock.lock();
    try {
      delivery = closed ? null : dispatcher.poll();
      starved = delivery == null || dispatcher.waiting() == 0;
      lost = dispatcher.takeLosses();
      admitParked();
      fresh = publish();
    } finally {
      lock.unlock();
    }
    react(fresh, lost);
    return delivery;
  }

  /** How a delivery ends. */
  private enum End {
    ACKNOWLEDGE,
    RELEASE,
    FAIL,
    REJECT
  }

  @Override
  public void acknowledge(Delivery<T> delivery) {
    end(delivery, End.ACKNOWLEDGE, null);
  }

  @Override
  public void release(Delivery<T> delivery) {
    end(delivery, End.RELEASE, null);
  }

  @Override
  public void fail(Delivery<T> delivery, String reason) {
    end(delivery, End.FAIL, reason);
  }

  @Override
  public void reject(Delivery<T> delivery, String reason) {
    end(delivery, End.REJECT, reason);
  }

  private void end(Delivery<T> ended, End how, String reason) {
    TakenMessage<T> delivery = (TakenMessage<T>) ended;
    int fresh;
    lock.lock();
    try {
      switch (how) {
        case ACKNOWLEDGE -> dispatcher.acknowledge(delivery);
        case RELEASE -> dispatcher.release(delivery);
        default -> dispatcher.fail(delivery, reason, how == End.FAIL);
      }
      admitParked();
      fresh = publish();
    } finally {
      lock.unlock();
    }
    react(fresh, List.of());
  }

  @Override
  public void onReadable(Runnable listener) {
    Checks.notNull("listener", listener);
    change(
        () -> {
          readable = listener;
          starved = true;
        });
  }

  /** Tells a consumer that found nothing that there is something now; on a thread of the store. */
  void signal() {
    Runnable told = null;
    lock.lock();
    try {
      if (starved && !closed && dispatcher.pollable()) {
        starved = false;
        told = readable;
      }
      publish();
    } finally {
      lock.unlock();
    }
    if (told != null) {
      Tell.readable(told);
    }
  }

  private void signalIfDue() {
    if ((work & SIGNAL) != 0) {
      signal();
    }
  }

  // ---- the writer thread

  WriteBatch<T> beginWrite(boolean withPackets) {
    lock.lock();
    try {
      List<Packet<T>> packets =
          withPackets && line.wantsWrite()
              ? line.beginWrite(store.options().getBatchBytes())
              : List.of();
      // Moves settle messages of packets, so they come before what is taken of these.
      SideBatch<T> beside = beginSideWrite(withPackets, packets);
      purges.beginWrite(line.isPurged());
      WriteBatch<T> batch =
          new WriteBatch<>(
              this, packets, line.upkeep().takeDeletes(), line.upkeep().takeDirty(), beside);
      publish();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /** A full disk gets no more moves than those that packets were told of. */
  private SideBatch<T> beginSideWrite(boolean withMoves, List<Packet<T>> packets) {
    List<SideMove<T>> moves = dispatcher.takeMoves(withMoves, store.options().getBatchBytes());
    for (SideMove<T> move : moves) {
      if (move.to == null && move.dead == null) {
        move.dead = dead.name(move.message);
      }
    }
    List<IdWindow.Written> written = new ArrayList<>();
    for (Packet<T> packet : packets) {
      IdWindow.Written its = IdWindow.beginWrite(packet);
      if (its != null) {
        written.add(its);
      }
    }
    return new SideBatch<>(moves, side.takeDeletes(), side.takeDirty(), written, ids.takeGone());
  }

  void endWrite(WriteBatch<T> batch, long writtenBytes) {
    Runnable then =
        changeAndGet(
            () -> {
              line.endWrite(batch.packets());
              side.endWrite(batch.side().moves());
              for (SideMove<T> move : batch.side().moves()) {
                if (move.to == null && !move.broken) {
                  dead.add(move.dead);
                }
              }
              counters.written(batch.packets(), writtenBytes);
            });
    signalIfDue();
    batch.packets().forEach(this::complete);
    then.run();
  }

  private void complete(Packet<T> packet) {
    Completion[] completions = packet.completions;
    packet.completions = null;
    for (int i = 0; completions != null && i < packet.count; i++) {
      if (completions[i] != null) {
        if (packet.isBroken(i)) {
          Tell.completed(completions[i], limits.failure(Reason.UNWRITABLE));
        } else {
          Tell.completed(completions[i], packet.firstSequence + i);
        }
      }
    }
  }

  void abortWrite(WriteBatch<T> batch) {
    change(
        () -> {
          line.abortWrite(batch.packets());
          line.upkeep().giveBack(batch.deletes(), batch.dirty());
          SideBatch<T> beside = batch.side();
          side.abortWrite(beside.moves(), beside.deletes(), beside.deliveries());
          ids.giveBack(beside.goneIds());
          purges.abortWrite();
        });
  }

  /** The store cannot write: tells durable senders, unless they asked to wait. */
  void storeFault(Reason reason) {
    if (!blocks()) {
      failDurable(reason);
    }
  }

  private void failDurable(Reason reason) {
    List<Completion> told = new ArrayList<>();
    changeAndSignal(() -> told.addAll(line.failDurable()));
    QueueException failure = limits.failure(reason);
    told.forEach(completion -> Tell.completed(completion, failure));
  }

  /** The store can write again. */
  void storeRecovered() {
    change(() -> {});
  }

  /** All is written that can be written. */
  void endClose() {
    failDurable(Reason.CLOSED);
    List<PacketLine.Lost> lost;
    List<Runnable> unpurged;
    lock.lock();
    try {
      if (line.hasUnwritten() || side.wantsWrite()) {
        LOG.error("queue {}: {} messages could not be written", name, line.unwrittenKept());
      }
      line.endClose();
      side.endClose();
      lost = dispatcher.takeLosses();
      unpurged = purges.fail(limits.failure(Reason.CLOSED));
      store.forget(this);
      gone = true;
      publish();
    } finally {
      lock.unlock();
    }
    Tell.lost(losses, lost);
    unpurged.forEach(Runnable::run);
    ended.complete(null);
  }

  // ---- the reader thread

  /** Where to read, or null if nothing is to be read. */
  DiskRegion.Load beginLoad() {
    lock.lock();
    try {
      DiskRegion.Load load = closed || !line.wantsLoad() ? null : line.beginLoad();
      publish();
      return load;
    } finally {
      lock.unlock();
    }
  }

  long readAheadBytes() {
    return options.getReadAheadBytes();
  }

  QueueRecovery recovery() {
    return recovery;
  }

  void endLoad(DiskRegion.Load load, List<PacketLine.Loaded<T>> read, boolean exhausted) {
    changeAndSignal(
        () -> {
          line.endLoad(load, read, exhausted);
          read.forEach(loaded -> counters.corruptPackets += loaded.packet() == null ? 1 : 0);
        });
  }

  void failLoad() {
    change(line::failLoad);
  }

  // ---- messages beside the line, on the writer thread

  /** When to read messages that wait for their time, ms since 1970; any thread. */
  long nextTimeMs() {
    return nextTimeMs;
  }

  /** Reads what is due, and what comes next in lanes that are free. */
  void readSide(JeFiles files) {
    SideLoad load = locked(() -> closed ? null : side.beginLoad(nowMs()));
    if (load != null) {
      SideLoad.Found<T> found = SideTables.read(files, this, load);
      changeAndSignal(() -> side.endLoad(load, found));
    }
  }

  void trimDeadLetters() {
    if (locked(() -> dead.nextTrimMs(options.getDeadLetters())) <= nowMs()) {
      deadLetters.trim(nowMs());
    }
  }

  long nowMs() {
    return store.clock().nowMs();
  }

  /** What was put beside the line now would be purged too; any thread. */
  boolean isPurging() {
    return locked(side::isPurging);
  }

  /** Blocks until the purges under way are over, well or not. */
  void awaitPurges() {
    locked(purges::running).forEach(purge -> purge.handle((purged, failure) -> null).join());
  }

  @Override
  public DeadLetters<T> deadLetters() {
    return deadLetters;
  }

  @Override
  public CompletableFuture<Long> purge() {
    Purges.Purge[] purge = new Purges.Purge[1];
    change(
        () -> {
          if (!closed) {
            purge[0] = purges.begin(line.purged + side.purged);
            line.purge();
            dispatcher.settleAll(side.beginPurge());
          }
        });
    if (purge[0] == null) {
      return CompletableFuture.failedFuture(limits.failure(Reason.CLOSED));
    }
    store.tasks().run(() -> purgeSide(purge[0]));
    return purge[0].done;
  }

  /** Deletes a part of what is beside the line, and goes on until nothing is. */
  private void purgeSide(Purges.Purge purge) {
    try {
      // Moves on their way are written by then: this thread is the one that writes.
      SideLoad next = locked(() -> side.wantsWrite() ? null : nextPurge());
      if (next == null && !locked(side::wantsWrite)) {
        changeAndSignal(
            () -> {
              side.endPurge();
              purges.endSide(purge);
            });
        return;
      }
      if (next != null) {
        List<SideKey> deleted = SideTables.purge(store.files(), name, next);
        changeAndSignal(() -> side.purged(next, deleted));
      }
      store.tasks().run(() -> purgeSide(purge));
    } catch (RuntimeException e) {
      changeAndSignal(
          () -> {
            side.endPurge();
            purges.remove(purge);
          });
      purge.done.completeExceptionally(
          new QueueException(store.files().reason(e), "purge failed: " + JeFiles.firstLine(e), e));
    }
  }

  private SideLoad nextPurge() {
    dispatcher.settleAll(side.purgeArrived());
    return side.nextPurge(PURGE_PART);
  }

  // ---- changes that need no haste

  /** Does something under the lock. */
  <V> V locked(Supplier<V> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  /** Changes something under the lock; then others learn what that means for them. */
  void change(Runnable change) {
    changeAndGet(change).run();
  }

  /** The same, on a thread of the store: the consumer is told at once. */
  void changeAndSignal(Runnable change) {
    Runnable then = changeAndGet(change);
    signalIfDue();
    then.run();
  }

  /** Changes something under the lock; returns what to do without it. */
  private Runnable changeAndGet(Runnable change) {
    lock.lock();
    try {
      change.run();
      admitParked();
      List<PacketLine.Lost> lost = dispatcher.takeLosses();
      List<Runnable> purged =
          purges.isEmpty()
              ? List.of()
              : purges.takeDone(line.isPurged(), !wantsUpkeep(), line.purged + side.purged);
      int fresh = publish();
      return () -> {
        react(fresh, lost);
        purged.forEach(Runnable::run);
      };
    } finally {
      lock.unlock();
    }
  }

  // ---- closing

  @Override
  public void close() {
    store.refuseOwnThread();
    List<Parked<T>> refused = new ArrayList<>();
    List<PacketLine.Lost> lost = List.of();
    int fresh = 0;
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        refused.addAll(parked);
        parked.clear();
        counters.rejected += refused.size();
        line.beginClose();
        lost = dispatcher.takeLosses();
        fresh = publish();
      }
    } finally {
      lock.unlock();
    }
    QueueException failure = limits.failure(Reason.CLOSED);
    refused.forEach(next -> Tell.completed(next.completion, failure));
    react(fresh, lost);
    ended.join();
  }
}
