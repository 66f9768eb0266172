package dev.weir.cluster.log;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.threads.DutyThread;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.threads.RecordRing;
import dev.weir.cluster.transport.FrameLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A transaction log that a thread of its own writes. {@link #append} copies a batch into a ring.
 * The thread appends all batches of the ring to the log underneath, makes them durable with one
 * flush, and then reports them by {@link #persisted}.
 *
 * <p><b>Invariant</b>: the history is the log underneath followed by the ring, without a gap. While
 * the ring holds batches, only {@link #append}, {@link #read} and the methods on snapshots run. All
 * other methods wait until the ring is empty ({@link #settle}). So one thread at a time uses the
 * log underneath, and nobody decides by a log that ends too early.
 *
 * <p>Only the group appends, under its lock. The thread never waits for that lock, so the holder of
 * the lock may wait for the thread.
 */
public final class Persister implements TransactionLog {
  private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(10);

  private final TransactionLog log;
  private final AckLevel level;
  private final RecordRing ring;
  private final GroupThreads threads;
  private final DutyThread thread;
  private final Runnable pause;
  private long epoch;
  private long position;

  /** The group has not been told of the last write yet; used by the thread only. */
  private boolean untold;

  private volatile LogEnd persisted;
  private volatile Throwable failure;

  public Persister(TransactionLog log, GroupOptions options, GroupThreads threads) {
    this(log, options, threads, () -> LockSupport.parkNanos(POLL_NS));
  }

  /**
   * @param pause what a caller does while it waits for the thread
   */
  public Persister(TransactionLog log, GroupOptions options, GroupThreads threads, Runnable pause) {
    FrameLimits limits = FrameLimits.of(options);
    this.log = log;
    this.level = options.getAckLevel();
    this.ring = new RecordRing(limits.maxFrameBytes(), limits.queueBytes());
    this.threads = threads;
    this.pause = pause;
    this.thread =
        threads.thread(GroupDuty.PERSISTER, options.getThreads().getPersister(), this::work);
    readEnd();
  }

  public void startThread() {
    thread.start();
  }

  /** The end up to which the log is as durable as the group demands; any thread. */
  public LogEnd persisted() {
    return persisted;
  }

  private void readEnd() {
    LogEnd end = log.end();
    epoch = end.epoch();
    position = end.position();
    persisted = end;
  }

  /**
   * Writes what is in the ring: the duty of the thread.
   *
   * @return whether there was something to do
   */
  public boolean work() {
    boolean wrote;
    try {
      wrote = write();
    } catch (Throwable e) {
      // Set before the group is told, because the holder of its lock may wait for this.
      failure = e;
      throw e;
    }
    untold |= wrote;
    if (untold && threads.tell()) {
      untold = false;
    }
    return wrote || untold;
  }

  /** Writes the batches that are in the ring now, and no later ones, so that it ends. */
  private boolean write() {
    long end = ring.added();
    if (ring.removed() == end) {
      return false;
    }
    while (ring.removed() < end && ring.peek()) {
      log.append(ring.content());
      ring.remove();
    }
    log.force(level);
    persisted = log.end();
    return true;
  }

  @Override
  public void append(ByteBuffer batch) {
    LogExtent.checkAppend(batch, epoch, position);
    int at = batch.position();
    while (!ring.offer(0, 0, 0, batch, at, batch.remaining())) {
      awaitThread();
    }
    epoch = Batch.epoch(batch, at);
    position += Batch.count(batch, at);
    thread.wake();
  }

  /**
   * Waits until everything appended is as durable as the group demands.
   *
   * @throws LogException if the thread has failed
   */
  public void settle() {
    while (persisted.position() != position) {
      awaitThread();
    }
    checkUsable();
  }

  private void awaitThread() {
    checkUsable();
    thread.wake();
    pause.run();
  }

  @Override
  public void checkUsable() {
    log.checkUsable();
    if (failure != null) {
      throw new LogException("the thread that writes the log has failed: " + failure, failure);
    }
  }

  @Override
  public long start() {
    return log.start();
  }

  @Override
  public LogEnd end() {
    return new LogEnd(epoch, position);
  }

  @Override
  public void force(AckLevel asked) {
    settle();
    log.force(asked);
  }

  @Override
  public LogEnd endOf(long asked) {
    settle();
    return log.endOf(asked);
  }

  @Override
  public boolean isBoundary(long asked) {
    settle();
    return log.isBoundary(asked);
  }

  @Override
  public void truncate(long from) {
    settle();
    log.truncate(from);
    readEnd();
  }

  /** Reads what the thread has written, which may be less than the history. */
  @Override
  public void read(long from, BatchHandler handler) {
    log.read(from, handler);
  }

  @Override
  public void trim(long before) {
    settle();
    log.trim(before);
  }

  @Override
  public void reset(LogEnd end) {
    settle();
    log.reset(end);
    readEnd();
  }

  @Override
  public void saveSnapshot(LogEnd at, SnapshotWriter writer) throws IOException {
    log.saveSnapshot(at, writer);
  }

  @Override
  public LogEnd snapshot() {
    return log.snapshot();
  }

  @Override
  public void readSnapshot(SnapshotReader reader) throws IOException {
    log.readSnapshot(reader);
  }

  @Override
  public void copySnapshot(SnapshotReader reader) throws IOException {
    log.copySnapshot(reader);
  }

  @Override
  public Spool spool() {
    return log.spool();
  }

  @Override
  public StoredObjects objects(boolean begins) {
    return log.objects(begins);
  }

  @Override
  public GroupRecord record() {
    return log.record();
  }

  @Override
  public void save(GroupRecord record) {
    settle();
    log.save(record);
  }

  @Override
  public long diskId() {
    return log.diskId();
  }

  @Override
  public long diskBytes() {
    return log.diskBytes();
  }

  /** Writes the batches in the ring, ends the thread and closes the log. */
  @Override
  public void close() {
    thread.close();
    log.close();
  }
}
