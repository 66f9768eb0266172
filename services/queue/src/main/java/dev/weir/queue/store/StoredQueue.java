package dev.weir.queue.store;

import dev.weir.options.Checks;
import dev.weir.queue.Completion;
import dev.weir.queue.DeadLetters;
import dev.weir.queue.Delivery;
import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.LossListener;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStats;
import dev.weir.queue.Serde;
import dev.weir.queue.WaitingMessages;
import dev.weir.queue.line.DiskRegion;
import dev.weir.queue.line.PacketLine;
import dev.weir.queue.line.QueueRecovery;
import dev.weir.queue.line.TakenMessage;
import dev.weir.queue.line.UserCallbacks;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * An open queue of a store, as its users and the store's reader thread see it. The state is in
 * {@link QueueState}; {@link QueueWriting} is the part for the writer thread.
 *
 * @param <T> the message type
 */
public final class StoredQueue<T> implements DurableQueue<T> {
  private final StoreEngine store;
  private final String name;
  private final Serde<T> serde;
  private final QueueRecovery recovery;
  private final QueueState<T> state;
  private final QueueWriting<T> writing;
  private final QueuePurge<T> purge;
  private final ScheduleRelease<T> release;
  private final JeDeadLetters<T> deadLetters;
  private final JeWaitingMessages<T> waitingMessages;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  StoredQueue(
      StoreEngine store,
      String name,
      Serde<T> serde,
      QueueOptions options,
      LossListener losses,
      QueueRecovery recovery) {
    this.store = store;
    this.name = name;
    this.serde = serde;
    this.recovery = recovery;
    this.state = new QueueState<>(store, name, options, losses, recovery);
    this.writing = new QueueWriting<>(store, this, state);
    this.purge = new QueuePurge<>(store, name, state);
    this.release = new ScheduleRelease<>(store, name, state);
    this.deadLetters = new JeDeadLetters<>(store, this, state);
    this.waitingMessages = new JeWaitingMessages<>(store, this, state);
  }

  @Override
  public String name() {
    return name;
  }

  Serde<T> serde() {
    return serde;
  }

  QueueOptions options() {
    return state.options;
  }

  QueueWriting<T> writing() {
    return writing;
  }

  QueuePurge<T> purges() {
    return purge;
  }

  @Override
  public QueueStats stats() {
    return state.locked(() -> state.counters.snapshot(state.dispatcher, state.dead));
  }

  /** The message whose delivery count is being written, or null; for tests. */
  Delivery<T> counting() {
    return state.locked(() -> state.dispatcher.counted().message());
  }

  /** For tests, see {@link PacketLine#check()}. */
  public void check() {
    state.lock();
    try {
      state.packets.check();
    } finally {
      state.unlock();
    }
  }

  @Override
  public long waiting() {
    return state.waiting();
  }

  /** What there is to do for the threads of the store, bits of {@link QueueWork}; any thread. */
  public int work() {
    return state.work();
  }

  /** When the writer is needed next, ms since 1970; any thread. */
  long nextTimeMs() {
    return state.nextTimeMs();
  }

  void signal() {
    state.signal();
  }

  // ---- adding

  @Override
  public Admission offer(T message, MessageOptions its, Object attachment, boolean keep) {
    if (Checks.notNull("options", its).id() != null) {
      throw new IllegalArgumentException("id is " + its.id() + ", allowed is none in an offer");
    }
    MessageOptions given = options(its);
    int sizeBytes = size(message);
    Reason refusal;
    List<PacketLine.Lost> lost;
    int newWork;
    state.lock();
    try {
      refusal =
          state.closed
              ? refuseClosed()
              : state.admission.offer(message, sizeBytes, given, keep, attachment);
      lost = state.dispatcher.takeLosses();
      newWork = state.publish();
    } finally {
      state.unlock();
    }
    state.react(newWork, lost);
    return refusal == null ? Admission.ACCEPTED : Admission.valueOf(refusal.name());
  }

  private Reason refuseClosed() {
    state.counters.rejected++;
    return Reason.CLOSED;
  }

  /** The options by the clock of the store, with the queue's time to live; null for none. */
  private MessageOptions options(MessageOptions its) {
    MessageOptions given = its;
    if (its.notBeforeMs() != 0 || its.expiresAtMs() != 0) {
      given = store.clock().convert(its);
    }
    if (state.options.getTtlMs() > 0) {
      // The next opening judges by the time of day: late rather than early.
      long behindMs = Math.max(0, -store.clock().leadMs());
      long endMs = state.nowMs() + behindMs + state.options.getTtlMs();
      if (given.expiresAtMs() == 0 || given.expiresAtMs() > endMs) {
        given = given.withExpiresAtMs(endMs);
      }
    }
    return given.isNone() ? null : given;
  }

  private int size(T message) {
    int sizeBytes = serde.sizeBytes(Checks.notNull("message", message));
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("sizeBytes is " + sizeBytes + ", allowed is 0 or more");
    }
    return sizeBytes;
  }

  @Override
  public void append(T message, MessageOptions its, Durability durability, Completion completion) {
    Checks.notNull("durability", durability);
    Checks.notNull("completion", completion);
    MessageOptions given = options(Checks.notNull("options", its));
    QueueAdmission.Append<T> next =
        new QueueAdmission.Append<>(message, size(message), given, durability, completion);
    Runnable then;
    List<PacketLine.Lost> lost;
    int newWork;
    state.lock();
    try {
      then =
          state.closed ? state.admission.refuse(next, Reason.CLOSED) : state.admission.append(next);
      lost = state.dispatcher.takeLosses();
      newWork = state.publish();
    } finally {
      state.unlock();
    }
    if (then != null) {
      then.run();
    }
    state.react(newWork, lost);
  }

  // ---- consuming

  @Override
  public Delivery<T> poll() {
    TakenMessage<T> delivery;
    List<PacketLine.Lost> lost;
    int newWork;
    state.lock();
    try {
      delivery = state.closed ? null : state.dispatcher.poll();
      state.starved(delivery == null || state.dispatcher.waiting() == 0);
      lost = state.dispatcher.takeLosses();
      state.admission.admitBlocked();
      newWork = state.publish();
    } finally {
      state.unlock();
    }
    state.react(newWork, lost);
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
    int newWork;
    state.lock();
    try {
      switch (how) {
        case ACKNOWLEDGE -> state.dispatcher.acknowledge(delivery);
        case RELEASE -> state.dispatcher.release(delivery);
        default -> state.dispatcher.fail(delivery, reason, how == End.FAIL);
      }
      state.admission.admitBlocked();
      newWork = state.publish();
    } finally {
      state.unlock();
    }
    state.react(newWork, List.of());
  }

  @Override
  public void onReadable(Runnable listener) {
    state.onReadable(Checks.notNull("listener", listener));
  }

  // ---- the reader thread

  /** Where to read packets, or null if nothing is to be read. */
  DiskRegion.Load beginLoad() {
    DiskRegion.Load load;
    int newWork;
    state.lock();
    try {
      load = state.closed || !state.packets.wantsLoad() ? null : state.packets.beginLoad();
      newWork = state.publish();
    } finally {
      state.unlock();
    }
    state.wake(newWork);
    return load;
  }

  QueueRecovery recovery() {
    return recovery;
  }

  void endLoad(DiskRegion.Load load, List<PacketLine.Loaded<T>> read, boolean exhausted) {
    state.changeAndSignal(
        () -> {
          state.packets.endLoad(load, read, exhausted);
          read.forEach(loaded -> state.counters.corruptPackets += loaded.packet() == null ? 1 : 0);
        });
  }

  /** The packets are still to be read, but that is no new work: the reader would not rest. */
  void failLoad() {
    int newWork;
    state.lock();
    try {
      state.packets.failLoad();
      newWork = state.publish();
    } finally {
      state.unlock();
    }
    state.wake(newWork & ~QueueWork.READ);
  }

  // ---- dead letters and purges

  @Override
  public DeadLetters<T> deadLetters() {
    return deadLetters;
  }

  @Override
  public WaitingMessages<T> waitingMessages() {
    return waitingMessages;
  }

  void trimDeadLetters() {
    deadLetters.trimIfDue();
  }

  @Override
  public CompletableFuture<Long> purge() {
    return purge.start();
  }

  @Override
  public CompletableFuture<Long> releaseScheduled() {
    return release.start();
  }

  // ---- closing

  @Override
  public void close() {
    store.refuseOwnThread();
    beginClose();
    ended.join();
  }

  /** Has the writer thread write what is to be kept, and then end the queue. */
  void beginClose() {
    List<QueueAdmission.Append<T>> refused = List.of();
    List<PacketLine.Lost> lost = List.of();
    int newWork = 0;
    state.lock();
    try {
      if (!state.closed) {
        state.closed = true;
        refused = state.admission.refuseBlocked();
        state.dispatcher.beginClose();
        state.packets.beginClose();
        lost = state.dispatcher.takeLosses();
        newWork = state.publish();
      }
    } finally {
      state.unlock();
    }
    QueueException failure = state.limits.failure(Reason.CLOSED);
    refused.forEach(next -> UserCallbacks.complete(next.completion(), failure));
    state.react(newWork, lost);
  }

  boolean isEnded() {
    return ended.isDone();
  }

  /** Called by the writer thread when the queue is closed. */
  void ended() {
    ended.complete(null);
  }
}
