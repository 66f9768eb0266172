package dev.weir.queue;

import dev.weir.queue.QueueException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of a {@link QueueStore}: puts a lock around its {@link PacketLine}, applies the limits,
 * and wakes the store's threads. Locks are held for memory operations only; nothing that users gave
 * us is called under one.
 */
final class JeQueue<T> implements DurableQueue<T> {
  private static final Logger LOG = LoggerFactory.getLogger(JeQueue.class);

  // What there is to do for the store's threads, as bits of `work`.
  /** Messages are to be written. */
  static final int WRITE = 1;

  /** Acknowledgements are to be written. */
  static final int UPKEEP = 2;

  /** The consumer is to be told that there is something. */
  static final int SIGNAL = 4;

  /** The queue is to be closed. */
  static final int CLOSE = 8;

  /** Packets are to be read. */
  static final int READ = 16;

  private record Parked<T>(
      T message, int sizeBytes, Durability durability, Completion completion) {}

  private final QueueStore store;
  private final String name;
  private final Serde<T> serde;
  private final QueueOptions options;
  private final LossListener losses;
  private final QueueLimits limits;
  private final QueueRecovery recovery;
  private final ReentrantLock lock = new ReentrantLock();
  private final PacketLine<T> line;
  private final ArrayDeque<Parked<T>> parked = new ArrayDeque<>();
  private final Counters counters = new Counters();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private volatile long waiting;
  private volatile int work;
  private Runnable readable = () -> {};
  private boolean starved;
  private boolean closed;
  private boolean gone;

  JeQueue(
      QueueStore store,
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
    line.recover(recovery);
    counters.recovered = recovery.alive() + recovery.transients();
    counters.recoveredTransient = recovery.transients();
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
      return counters.snapshot(line);
    } finally {
      lock.unlock();
    }
  }

  /** For tests, see {@link PacketLine#check()}. */
  void check() {
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
  int work() {
    return work;
  }

  Serde<T> serde() {
    return serde;
  }

  /**
   * Ends every section under the lock that changed something: shows other threads what they look at
   * without it. Returns what there is to do now and was not before.
   */
  private int publish() {
    if (waiting != line.waiting) {
      waiting = line.waiting;
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
    now |= line.wantsWrite() ? WRITE : 0;
    now |= line.upkeep().isEmpty() ? 0 : UPKEEP;
    now |= !closed && starved && line.pollable() ? SIGNAL : 0;
    now |= !closed && line.wantsLoad() ? READ : 0;
    return now;
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
  public Admission offer(T message, Object attachment, boolean keep) {
    int sizeBytes = size(message);
    Reason refusal;
    List<PacketLine.Lost> lost;
    int fresh;
    lock.lock();
    try {
      refusal = refuse(sizeBytes);
      if (refusal == null) {
        refusal = parked.isEmpty() ? limits.admit(line, sizeBytes) : Reason.QUEUE_FULL;
      }
      if (refusal == null) {
        line.append(message, sizeBytes, keep ? 0 : Packet.TRANSIENT, attachment);
      } else {
        counters.rejected++;
      }
      lost = line.takeLosses();
      fresh = publish();
    } finally {
      lock.unlock();
    }
    react(fresh, lost);
    return refusal == null ? Admission.ACCEPTED : Admission.valueOf(refusal.name());
  }

  @Override
  public void append(T message, Durability durability, Completion completion) {
    if (Checks.notNull("durability", durability) == Durability.NONE) {
      throw new IllegalArgumentException("durability is NONE, allowed is PROCESS or MACHINE");
    }
    Checks.notNull("completion", completion);
    int sizeBytes = size(message);
    Reason refusal;
    List<PacketLine.Lost> lost;
    int fresh;
    lock.lock();
    try {
      refusal = refuse(sizeBytes);
      if (refusal == null) {
        refusal = admit(message, sizeBytes, durability, completion);
      }
      if (refusal != null) {
        counters.rejected++;
      }
      lost = line.takeLosses();
      fresh = publish();
    } finally {
      lock.unlock();
    }
    if (refusal != null) {
      Tell.completed(completion, limits.failure(refusal));
    }
    react(fresh, lost);
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

  /** Null if the message was appended or parked. */
  private Reason admit(T message, int sizeBytes, Durability durability, Completion completion) {
    Reason refusal = store.fault();
    if (refusal == null) {
      refusal = parked.isEmpty() ? limits.admit(line, sizeBytes) : Reason.QUEUE_FULL;
    }
    if (refusal == null) {
      line.append(message, sizeBytes, (byte) 0, null);
      line.require(durability, completion);
    } else if (blocks() && parked.size() < options.getMaxBlocked()) {
      parked.add(new Parked<>(message, sizeBytes, durability, completion));
      refusal = null;
    }
    return refusal;
  }

  private boolean blocks() {
    return options.getPolicy() == OverflowPolicy.BLOCK;
  }

  private void admitParked() {
    while (!parked.isEmpty()
        && store.fault() == null
        && limits.admit(line, parked.peek().sizeBytes) == null) {
      Parked<T> next = parked.poll();
      line.append(next.message, next.sizeBytes, (byte) 0, null);
      line.require(next.durability, next.completion);
    }
  }

  // ---- consuming

  @Override
  public Delivery<T> poll() {
    Delivery<T> delivery;
    int fresh;
    lock.lock();
    try {
      delivery = closed ? null : line.poll();
      starved = delivery == null || line.waiting == 0;
      counters.delivered += delivery == null ? 0 : 1;
      admitParked();
      fresh = publish();
    } finally {
      lock.unlock();
    }
    react(fresh, List.of());
    return delivery;
  }

  @Override
  public void acknowledge(Delivery<T> delivery) {
    end(delivery, true);
  }

  @Override
  public void release(Delivery<T> delivery) {
    end(delivery, false);
  }

  private void end(Delivery<T> delivery, boolean acknowledge) {
    int fresh;
    lock.lock();
    try {
      if (acknowledge) {
        counters.acknowledged += line.acknowledge(delivery) ? 1 : 0;
      } else {
        line.release(delivery);
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
    int fresh;
    lock.lock();
    try {
      readable = Checks.notNull("listener", listener);
      starved = true;
      fresh = publish();
    } finally {
      lock.unlock();
    }
    react(fresh, List.of());
  }

  /** Tells a consumer that found nothing that there is something now; on a thread of the store. */
  void signal() {
    Runnable told = null;
    lock.lock();
    try {
      if (starved && !closed && line.pollable()) {
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
      WriteBatch<T> batch =
          new WriteBatch<>(this, packets, line.upkeep().takeDeletes(), line.upkeep().takeDirty());
      publish();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  void endWrite(WriteBatch<T> batch, long writtenBytes) {
    List<PacketLine.Lost> lost;
    int fresh;
    lock.lock();
    try {
      line.endWrite(batch.packets());
      counters.written(batch, writtenBytes);
      lost = line.takeLosses();
      admitParked();
      fresh = publish();
    } finally {
      lock.unlock();
    }
    signalIfDue();
    batch.packets().forEach(this::complete);
    react(fresh, lost);
  }

  private void complete(Packet<T> packet) {
    Completion[] completions = packet.completions;
    packet.completions = null;
    for (int i = 0; completions != null && i < packet.count; i++) {
      if (completions[i] != null) {
        boolean broken = packet.isBroken(i);
        Tell.completed(completions[i], broken ? limits.failure(Reason.UNWRITABLE) : null);
      }
    }
  }

  void abortWrite(WriteBatch<T> batch) {
    lock.lock();
    try {
      line.abortWrite(batch.packets());
      line.upkeep().giveBack(batch.deletes(), batch.dirty());
      publish();
    } finally {
      lock.unlock();
    }
  }

  /** The store cannot write: tells durable senders, unless they asked to wait. */
  void storeFault(Reason reason) {
    if (!blocks()) {
      failDurable(reason);
    }
  }

  private void failDurable(Reason reason) {
    List<Completion> told;
    int fresh;
    lock.lock();
    try {
      told = line.failDurable();
      fresh = publish();
    } finally {
      lock.unlock();
    }
    QueueException failure = limits.failure(reason);
    told.forEach(completion -> Tell.completed(completion, failure));
    react(fresh, List.of());
    signalIfDue();
  }

  /** The store can write again. */
  void storeRecovered() {
    int fresh;
    lock.lock();
    try {
      admitParked();
      fresh = publish();
    } finally {
      lock.unlock();
    }
    react(fresh, List.of());
  }

  /** All is written that can be written. */
  void endClose() {
    failDurable(Reason.CLOSED);
    List<PacketLine.Lost> lost;
    lock.lock();
    try {
      if (line.hasUnwritten()) {
        LOG.error("queue {}: {} messages could not be written", name, line.unwrittenKept());
      }
      line.endClose();
      lost = line.takeLosses();
      store.forget(this);
      gone = true;
      publish();
    } finally {
      lock.unlock();
    }
    Tell.lost(losses, lost);
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
    List<PacketLine.Lost> lost;
    int fresh;
    lock.lock();
    try {
      line.endLoad(load, read, exhausted);
      read.forEach(loaded -> counters.corruptPackets += loaded.packet() == null ? 1 : 0);
      lost = line.takeLosses();
      admitParked();
      fresh = publish();
    } finally {
      lock.unlock();
    }
    react(fresh, lost);
    signalIfDue();
  }

  void failLoad() {
    lock.lock();
    try {
      line.failLoad();
      publish();
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
        lost = line.takeLosses();
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

  private static final class Counters {
    long delivered;
    long acknowledged;
    long rejected;
    long writtenMessages;
    long writtenBytes;
    long commits;
    long recovered;
    long recoveredTransient;
    long corruptPackets;

    void written(WriteBatch<?> batch, long bytes) {
      batch.packets().forEach(packet -> writtenMessages += packet.count);
      writtenBytes += bytes;
      commits += batch.packets().isEmpty() ? 0 : 1;
    }

    QueueStats snapshot(PacketLine<?> line) {
      return new QueueStats(
          line.waiting,
          line.unacknowledged,
          line.bytes,
          line.bufferedBytes,
          line.appended,
          delivered,
          acknowledged,
          rejected + line.refused,
          line.dropped,
          writtenMessages,
          writtenBytes,
          commits,
          recovered,
          recoveredTransient,
          corruptPackets,
          line.lost);
    }
  }
}
