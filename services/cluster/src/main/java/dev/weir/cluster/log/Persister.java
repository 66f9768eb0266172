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
 * A log that is written by a thread of its own. A batch is copied into a ring and belongs to the
 * history from then on; the thread appends all that waits, brings it as far as the group asks with
 * one flush, and only then says that it is held.
 *
 * <p><b>Invariant</b>: what is held, then what is in the ring, is the history, in order and without
 * a gap. Nothing but {@link #append}, {@link #read} and what is about snapshots happens while
 * something is in the ring: everything else waits until it is empty ({@link #settle}), so that the
 * log underneath is used by one thread at a time and nobody decides by a log that ends too early.
 *
 * <p>Only the group, under its lock, appends. The thread never waits for that lock, so whoever has
 * it may wait for the thread.
 */
public final class Persister implements TransactionLog {
  private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(10);

  private final TransactionLog log;
  private final AckLevel level;
  private final RecordRing ring;
  private final GroupThreads threads;
  private final DutyThread thread;
  private long epoch;
  private long position;

  /** The thread's own. */
  private boolean untold;

  private volatile LogEnd held;
  private volatile Throwable failure;

  public Persister(TransactionLog log, GroupOptions options, GroupThreads threads) {
    FrameLimits limits = FrameLimits.of(options);
    this.log = log;
    this.level = options.getAckLevel();
    this.ring = new RecordRing(limits.maxFrameBytes(), limits.queueBytes());
    this.threads = threads;
    this.thread =
        threads.thread(GroupDuty.PERSISTER, options.getThreads().getPersister(), this::work);
    readEnd();
  }

  public void startThread() {
    thread.start();
  }

  /** Up to where the log is as far as the group asks; any thread. */
  public LogEnd held() {
    return held;
  }

  private void readEnd() {
    LogEnd end = log.end();
    epoch = end.epoch();
    position = end.position();
    held = end;
  }

  // The thread

  private boolean work() {
    boolean wrote;
    try {
      wrote = write();
    } catch (RuntimeException | Error e) {
      // Before the group hears of it: who has its lock may wait for this.
      failure = e;
      throw e;
    }
    untold |= wrote;
    if (untold && threads.tell()) {
      untold = false;
    }
    return wrote || untold;
  }

  /** Not more than waits now: it must be flushed some time. */
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
    held = log.end();
    return true;
  }

  // The group

  @Override
  public void append(ByteBuffer batch) {
    LogChecks.append(batch, epoch, position);
    int at = batch.position();
    while (!ring.offer(0, 0, 0, batch, at, batch.remaining())) {
      look();
    }
    epoch = Batch.epoch(batch, at);
    position += Batch.count(batch, at);
    thread.wake();
  }

  /**
   * Waits until everything appended is held.
   *
   * @throws LogException if it cannot be
   */
  public void settle() {
    while (held.position() != position) {
      look();
    }
    checkUsable();
  }

  private void look() {
    checkUsable();
    thread.wake();
    LockSupport.parkNanos(this, LOOK_NS);
  }

  private void checkUsable() {
    if (failure != null) {
      throw new LogException("the thread that writes the log failed: " + failure, failure);
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
  public void truncate(long from) {
    settle();
    log.truncate(from);
    readEnd();
  }

  /** Reads what is written, which may be less than the history. */
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
  public GroupRecord record() {
    return log.record();
  }

  @Override
  public void save(GroupRecord record) {
    settle();
    log.save(record);
  }

  @Override
  public long diskBytes() {
    return log.diskBytes();
  }

  /** Writes what waits, ends the thread and closes the log. */
  @Override
  public void close() {
    thread.close();
    log.close();
  }
}
