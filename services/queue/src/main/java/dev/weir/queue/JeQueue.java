package dev.weir.queue;

import dev.weir.queue.QueueException.Reason;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A queue of a {@link QueueStore}: puts a lock around its {@link PacketLine}, applies the limits,
 * and wakes the store's threads. Locks are held for memory operations only.
 */
final class JeQueue<T> implements DurableQueue<T> {
  private record Parked<T>(T message, int sizeBytes, Durability durability, Completion completion) {
    long bytes() {
      return sizeBytes + PacketCodec.MESSAGE_HEADER_BYTES;
    }
  }

  private final QueueStore store;
  private final String name;
  private final Serde<T> serde;
  private final QueueOptions options;
  private final LossListener losses;
  private final ReentrantLock lock = new ReentrantLock();
  private final PacketLine<T> line;
  private final ArrayDeque<Parked<T>> parked = new ArrayDeque<>();
  private final Counters counters = new Counters();

  /** Progress of packets found on disk, by first sequence, until they are read. */
  private final Map<Long, byte[]> recoveredProgress;

  private final long recoveredBelow;
  private volatile long waiting;
  private Runnable readable = () -> {};
  private boolean starved;
  private boolean closed;

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
    this.options = new QueueOptions(options);
    this.losses = losses;
    this.line = new PacketLine<>(store.options().getPacketBytes(), options.getReadAheadBytes());
    this.recoveredProgress = recovery.progress();
    this.recoveredBelow = recovery.nextSequence();
    line.recover(recovery);
    counters.recovered = line.waiting + recovery.transientMessages();
    counters.recoveredTransient = recovery.transientMessages();
    waiting = line.waiting;
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

  @Override
  public long waiting() {
    return waiting;
  }

  Serde<T> serde() {
    return serde;
  }

  // ---- appending

  @Override
  public Admission offer(T message, Object attachment, boolean keep) {
    int sizeBytes = serde.sizeBytes(message);
    Reason refusal;
    List<Object> lost;
    boolean load;
    lock.lock();
    try {
      refusal = admit(sizeBytes);
      if (refusal == null) {
        line.append(message, sizeBytes, keep ? 0 : Packet.TRANSIENT, attachment);
        counters.appended++;
      } else {
        counters.rejected++;
      }
      lost = line.takeLost();
      load = line.wantsLoad();
      waiting = line.waiting;
    } finally {
      lock.unlock();
    }
    react(lost, load);
    return refusal == null ? Admission.ACCEPTED : Admission.valueOf(refusal.name());
  }

  @Override
  public void append(T message, Durability durability, Completion completion) {
    if (durability == Durability.NONE) {
      throw new IllegalArgumentException("durability is NONE, allowed is PROCESS or MACHINE");
    }
    int sizeBytes = serde.sizeBytes(message);
    Reason refusal;
    List<Object> lost;
    boolean load;
    lock.lock();
    try {
      refusal = parked.isEmpty() ? admitDurable(sizeBytes) : Reason.QUEUE_FULL;
      if (refusal == null) {
        appendDurable(message, sizeBytes, durability, completion);
      } else if (mayWait(refusal)) {
        parked.add(new Parked<>(message, sizeBytes, durability, completion));
        refusal = null;
      } else {
        counters.rejected++;
      }
      lost = line.takeLost();
      load = line.wantsLoad();
      waiting = line.waiting;
    } finally {
      lock.unlock();
    }
    if (refusal != null) {
      completion.complete(failure(refusal));
    }
    react(lost, load);
  }

  private void appendDurable(T message, int sizeBytes, Durability durability, Completion done) {
    line.append(message, sizeBytes, (byte) 0, null);
    line.require(durability, done);
    counters.appended++;
  }

  private boolean mayWait(Reason refusal) {
    return options.getPolicy() == OverflowPolicy.BLOCK
        && refusal != Reason.CLOSED
        && refusal != Reason.MESSAGE_TOO_LARGE
        && parked.size() < options.getMaxBlocked();
  }

  private Reason admitDurable(int sizeBytes) {
    Reason fault = store.fault();
    return fault == null ? admit(sizeBytes) : fault;
  }

  /** Null if the message may come in; makes room for it when the policy says so. */
  private Reason admit(int sizeBytes) {
    if (closed) {
      return Reason.CLOSED;
    }
    long more = sizeBytes + PacketCodec.MESSAGE_HEADER_BYTES;
    if (sizeBytes > options.getMaxMessageBytes() || more > options.getMaxBytes()) {
      return Reason.MESSAGE_TOO_LARGE;
    }
    if (line.bufferedBytes + more > options.getWriteBufferBytes() && line.bufferedBytes > 0) {
      return dropNewest() ? Reason.DROPPED : Reason.BUFFER_FULL;
    }
    long excess = line.bytes + more - options.getMaxBytes();
    if (excess <= 0) {
      return null;
    }
    if (options.getPolicy() == OverflowPolicy.DROP_OLDEST && line.dropOldest(excess)) {
      return null;
    }
    return dropNewest() ? Reason.DROPPED : Reason.QUEUE_FULL;
  }

  private boolean dropNewest() {
    return options.getPolicy() == OverflowPolicy.DROP_NEWEST;
  }

  private QueueException failure(Reason reason) {
    return new QueueException(
        reason,
        switch (reason) {
          case QUEUE_FULL -> "queue " + name + " is full: maxBytes is " + options.getMaxBytes();
          case BUFFER_FULL ->
              "queue "
                  + name
                  + " gets more than the disk takes: writeBufferBytes is "
                  + options.getWriteBufferBytes();
          case MESSAGE_TOO_LARGE ->
              "message too large for queue "
                  + name
                  + ": maxMessageBytes is "
                  + options.getMaxMessageBytes();
          case DROPPED -> "queue " + name + " is full and drops the newest message";
          case DISK_FULL ->
              "the disk of queue "
                  + name
                  + " is full: minFreeBytes is "
                  + store.options().getMinFreeBytes();
          case STORE_FAILED -> "the store of queue " + name + " cannot write its files";
          default -> "queue " + name + " is closed";
        });
  }

  /** Wakes the store's threads and reports what an append dropped; without the lock. */
  private void react(List<Object> lost, boolean load) {
    store.wakeWriter();
    if (load) {
      store.wakeReader();
    }
    lost.forEach(attachment -> losses.lost(attachment, Reason.DROPPED));
  }

  private void admitParked() {
    while (!parked.isEmpty() && admitDurable(parked.peek().sizeBytes) == null) {
      Parked<T> next = parked.poll();
      appendDurable(next.message, next.sizeBytes, next.durability, next.completion);
    }
  }

  // ---- consuming

  @Override
  public Delivery<T> poll() {
    Delivery<T> delivery;
    boolean load;
    lock.lock();
    try {
      delivery = closed ? null : line.poll();
      starved = delivery == null;
      load = line.wantsLoad();
      counters.delivered += delivery == null ? 0 : 1;
      waiting = line.waiting;
    } finally {
      lock.unlock();
    }
    if (load) {
      store.wakeReader();
    }
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
    boolean admitted;
    lock.lock();
    try {
      if (acknowledge) {
        counters.acknowledged += line.acknowledge(delivery) ? 1 : 0;
      } else {
        line.release(delivery);
      }
      admitted = !parked.isEmpty();
      admitParked();
      waiting = line.waiting;
    } finally {
      lock.unlock();
    }
    if (admitted) {
      store.wakeWriter();
    }
  }

  @Override
  public void onReadable(Runnable listener) {
    lock.lock();
    try {
      readable = Checks.notNull("listener", listener);
      starved = true;
    } finally {
      lock.unlock();
    }
    wakeReader();
  }

  private void wakeReader() {
    boolean load;
    lock.lock();
    try {
      load = line.wantsLoad();
    } finally {
      lock.unlock();
    }
    if (load) {
      store.wakeReader();
    }
  }

  private void signalReadable() {
    Runnable told = null;
    lock.lock();
    try {
      if (starved && !closed) {
        starved = false;
        told = readable;
      }
    } finally {
      lock.unlock();
    }
    if (told != null) {
      told.run();
    }
  }

  // ---- the writer thread

  /** What the writer thread is to put in the next transaction. */
  record WriteBatch<T>(
      JeQueue<T> queue, List<Packet<T>> packets, List<Packet<T>> deletes, List<Packet<T>> dirty) {

    boolean isEmpty() {
      return packets.isEmpty() && deletes.isEmpty() && dirty.isEmpty();
    }
  }

  boolean hasUrgentWork() {
    lock.lock();
    try {
      return line.hasUnwritten();
    } finally {
      lock.unlock();
    }
  }

  boolean hasLazyWork() {
    lock.lock();
    try {
      return line.hasDeletes() || line.hasDirty();
    } finally {
      lock.unlock();
    }
  }

  WriteBatch<T> beginWrite(boolean packets) {
    lock.lock();
    try {
      List<Packet<T>> taken =
          packets ? line.beginWrite(store.options().getBatchBytes()) : List.of();
      return new WriteBatch<>(this, taken, line.takeDeletes(), line.takeDirty());
    } finally {
      lock.unlock();
    }
  }

  void endWrite(WriteBatch<T> batch, long writtenBytes) {
    lock.lock();
    try {
      line.endWrite(batch.packets);
      batch.packets.forEach(packet -> counters.writtenMessages += packet.count);
      counters.writtenBytes += writtenBytes;
      counters.commits += batch.packets.isEmpty() ? 0 : 1;
      admitParked();
      waiting = line.waiting;
    } finally {
      lock.unlock();
    }
    batch.packets.forEach(JeQueue::complete);
    if (!batch.packets.isEmpty()) {
      signalReadable();
      wakeReader();
    }
  }

  private static void complete(Packet<?> packet) {
    Completion[] completions = packet.completions;
    if (completions != null) {
      packet.completions = null;
      for (int i = 0; i < packet.count; i++) {
        if (completions[i] != null) {
          completions[i].complete(null);
        }
      }
    }
  }

  void abortWrite(WriteBatch<T> batch) {
    lock.lock();
    try {
      line.abortWrite(batch.packets);
      line.returnDeletes(batch.deletes);
      line.returnDirty(batch.dirty);
    } finally {
      lock.unlock();
    }
  }

  /** The store cannot write: tells durable senders, unless they asked to wait. */
  void storeFault(Reason reason) {
    if (options.getPolicy() == OverflowPolicy.BLOCK) {
      return;
    }
    List<Completion> told;
    lock.lock();
    try {
      told = line.failDurable();
      counters.appended -= told.size();
      counters.rejected += told.size();
      waiting = line.waiting;
    } finally {
      lock.unlock();
    }
    QueueException failure = failure(reason);
    told.forEach(completion -> completion.complete(failure));
    signalReadable();
  }

  /** The store can write again. */
  void storeRecovered() {
    lock.lock();
    try {
      admitParked();
      waiting = line.waiting;
    } finally {
      lock.unlock();
    }
    wakeReader();
  }

  // ---- the reader thread

  /** Where to read, or null if nothing is to be read. */
  PacketLine.Load beginLoad() {
    lock.lock();
    try {
      return closed || !line.wantsLoad() ? null : line.beginLoad();
    } finally {
      lock.unlock();
    }
  }

  long readAheadBytes() {
    return options.getReadAheadBytes();
  }

  /** Applies to a packet that was read what happened to it since it was written. */
  void restore(Packet<T> packet) {
    byte[] progress = recoveredProgress.remove(packet.firstSequence);
    boolean recovered = packet.firstSequence < recoveredBelow;
    for (int i = 0; i < packet.count; i++) {
      boolean gone = recovered && (packet.flags[i] & Packet.TRANSIENT) != 0;
      int known = progress == null ? 0 : progress[i];
      packet.progressOnDisk |= progress != null;
      if ((gone || (known & Packet.SETTLED) != 0) && packet.settle(i)) {
        packet.messages[i] = null;
      }
      packet.progress[i] = (byte) (packet.progress[i] | known);
    }
  }

  void endLoad(List<Packet<T>> packets) {
    List<Object> lost;
    lock.lock();
    try {
      line.endLoad(packets);
      lost = line.takeLost();
      waiting = line.waiting;
    } finally {
      lock.unlock();
    }
    lost.forEach(attachment -> losses.lost(attachment, Reason.DROPPED));
    signalReadable();
  }

  void failLoad() {
    lock.lock();
    try {
      line.failLoad();
    } finally {
      lock.unlock();
    }
  }

  void skipCorrupt(PacketKey key) {
    List<Object> attachments;
    lock.lock();
    try {
      attachments = line.skip(key, alive(key));
      counters.corruptPackets++;
      waiting = line.waiting;
    } finally {
      lock.unlock();
    }
    attachments.forEach(attachment -> losses.lost(attachment, Reason.CORRUPT));
  }

  private int alive(PacketKey key) {
    return key.firstSequence() < recoveredBelow
        ? QueueRecovery.alive(key, recoveredProgress.get(key.firstSequence()))
        : key.count();
  }

  // ---- closing

  @Override
  public void close() {
    List<Parked<T>> refused;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      refused = List.copyOf(parked);
      parked.clear();
    } finally {
      lock.unlock();
    }
    QueueException failure = failure(Reason.CLOSED);
    refused.forEach(next -> next.completion.complete(failure));
    store.flushAndForget(this);
    List<Object> attachments;
    lock.lock();
    try {
      attachments = line.attachments();
    } finally {
      lock.unlock();
    }
    attachments.forEach(attachment -> losses.lost(attachment, Reason.CLOSED));
  }

  /** What could not be written before the store had to close. */
  void giveUp() {
    List<Completion> told;
    lock.lock();
    try {
      told = line.failDurable();
    } finally {
      lock.unlock();
    }
    QueueException failure = failure(Reason.CLOSED);
    told.forEach(completion -> completion.complete(failure));
  }

  private static final class Counters {
    long appended;
    long delivered;
    long acknowledged;
    long rejected;
    long writtenMessages;
    long writtenBytes;
    long commits;
    long recovered;
    long recoveredTransient;
    long corruptPackets;

    QueueStats snapshot(PacketLine<?> line) {
      return new QueueStats(
          line.waiting,
          line.unacknowledged,
          line.bytes,
          line.bufferedBytes,
          appended,
          delivered,
          acknowledged,
          rejected,
          line.dropped,
          writtenMessages,
          writtenBytes,
          commits,
          recovered,
          recoveredTransient,
          corruptPackets);
    }
  }
}
