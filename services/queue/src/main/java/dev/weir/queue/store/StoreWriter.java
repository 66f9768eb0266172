package dev.weir.queue.store;

import static dev.weir.queue.QueueException.Reason.DISK_FULL;
import static dev.weir.queue.QueueException.Reason.STORE_FAILED;

import dev.weir.options.HeapExhaustion;
import dev.weir.queue.Durability;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.DetachedTables;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.OpenTables;
import dev.weir.queue.je.PacketCodec;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.ScheduleTable;
import dev.weir.queue.je.StoreTransaction;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.PacketLeft;
import dev.weir.queue.line.PacketProgress;
import dev.weir.queue.line.StoreClock;
import dev.weir.queue.store.QueueWriting.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The duty of the writer thread. Each turn takes what waits in all queues, writes it in one
 * transaction, commits it to the operating system, and completes the senders. Packets that are to
 * reach the device are handed to the sync thread ({@link StoreSync}), so that no queue waits for
 * the device because of another. Under load packets and transactions grow; at rest a message is
 * written alone.
 */
public final class StoreWriter implements StoreThread.Duty {
  private static final Logger LOG = LoggerFactory.getLogger(StoreWriter.class);
  private static final long MIN_LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long BYPASS_NS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long MIN_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long MAX_RETRY_NS = TimeUnit.SECONDS.toNanos(1);

  private final StoreEngine store;
  private final JeFiles files;
  private final StoreTasks tasks;
  private final StoreClock clock;
  private final long upkeepNs;
  private final Scratch scratch = new Scratch();
  private final SegmentUpkeep segments;
  private long nextUpkeepNs;
  private long nextRepairNs;
  private long nextCountNs;
  private long retryNs;

  /** True if records were deleted since the space of deleted records was given back. */
  private boolean reclaimable;

  /** True if there was no space then for copies of what is in use: with it more is given back. */
  private boolean sparse;

  private String obstacle;
  private volatile Reason fault;

  StoreWriter(StoreEngine store, JeFiles files, StoreTasks tasks, StoreClock clock) {
    this.store = store;
    this.files = files;
    this.tasks = tasks;
    this.clock = clock;
    this.segments = new SegmentUpkeep(store, files, clock);
    this.nextUpkeepNs = clock.nowNs();
    this.nextCountNs = nextUpkeepNs;
    this.upkeepNs = TimeUnit.MILLISECONDS.toNanos(store.options().getAckFlushMs());
  }

  /** Notes that a task has deleted records; on the writer thread. */
  void deleted() {
    reclaimable = true;
  }

  /** Why nothing can be appended, or null; any thread. */
  Reason fault() {
    return fault;
  }

  @Override
  public long run() {
    int work = look();
    long now = clock.nowNs();
    noticeInvalidFiles();
    tasks.runNext();
    noticeInvalidFiles();
    if (fault != null) {
      return inFault(work, now);
    }
    long nextTimeNs = Math.min(readWhatIsDue(), Math.min(files.writeMark(), segments.run()));
    if ((work & (QueueWork.WRITE | QueueWork.UPKEEP)) == 0) {
      closeQueues(work);
      if (!tasks.isEmpty()) {
        return 0;
      }
      return (work & QueueWork.CLOSE) != 0 ? MIN_LOOK_NS : nextTimeNs;
    }
    boolean urgent = (work & (QueueWork.WRITE | QueueWork.CLOSE | QueueWork.COUNT)) != 0;
    if (!urgent && now - nextUpkeepNs < 0) {
      return tasks.isEmpty() ? Math.min(nextTimeNs, nextUpkeepNs - now) : 0;
    }
    if (!files.hasRoom()) {
      fail(DISK_FULL, null);
      return 0;
    }
    if (!files.isValid()) {
      return 0;
    }
    nextUpkeepNs = now + upkeepNs;
    boolean isBehind = segments.isBehind();
    write(store.queues(), isBehind ? Extent.ALL_MOVES : Extent.ALL);
    closeQueues(work);
    return isBehind ? MIN_LOOK_NS : 0;
  }

  /** Another thread of the store, or a task, may have failed with them. */
  private void noticeInvalidFiles() {
    if (fault == null && !files.isValid()) {
      fail(STORE_FAILED, null);
    }
  }

  /** Collects the work of all queues, and signals consumers that can poll again. */
  private int look() {
    int work = 0;
    for (StoredQueue<?> queue : store.queues()) {
      int its = queue.work();
      work |= its;
      if ((its & QueueWork.SIGNAL) != 0) {
        queue.signal();
      }
    }
    return work & ~(QueueWork.SIGNAL | QueueWork.READ | QueueWork.READ_DEFERRED);
  }

  /** Reads deferred messages that are due; returns the time in ns until more may be due. */
  private long readWhatIsDue() {
    long nextMs = Long.MAX_VALUE;
    for (StoredQueue<?> queue : store.queues()) {
      boolean lanes = (queue.work() & QueueWork.READ_DEFERRED) != 0;
      if (lanes || queue.nextTimeMs() != Long.MAX_VALUE) {
        readWhatIsDue(queue, lanes);
        nextMs =
            Math.min(
                nextMs, (queue.work() & QueueWork.READ_DEFERRED) != 0 ? 0 : queue.nextTimeMs());
      }
    }
    if (nextMs == Long.MAX_VALUE) {
      return StoreThread.FOREVER;
    }
    return TimeUnit.MILLISECONDS.toNanos(Math.max(0, nextMs - clock.nowMs()));
  }

  private void readWhatIsDue(StoredQueue<?> queue, boolean lanes) {
    if (!lanes && queue.nextTimeMs() > clock.nowMs()) {
      return;
    }
    files.beginUse();
    try {
      queue.writing().readDeferred(files);
      queue.trimDeadLetters();
    } catch (RuntimeException | Error e) {
      fail(files.reason(e), e);
    } finally {
      files.endUse();
    }
  }

  private long inFault(int work, long now) {
    if (now - nextRepairNs >= 0) {
      if (repair()) {
        return 0;
      }
      // To reopen the files reads the log again and is slow; to look at the free space is not.
      long mostNs = files.isValid() ? MIN_RETRY_NS : MAX_RETRY_NS;
      retryNs = Math.min(mostNs, Math.max(MIN_RETRY_NS, retryNs * 2));
      nextRepairNs = clock.nowNs() + retryNs;
    }
    // Messages that are due can be read, and dead letters can be trimmed, on a full disk too.
    boolean counts = (work & QueueWork.COUNT) != 0 && now - nextCountNs >= 0;
    if (counts && files.isValid() && !write(store.queues(), Extent.DELETES)) {
      nextCountNs = now + BYPASS_NS;
    }
    boolean waits = false;
    for (StoredQueue<?> queue : store.queues()) {
      waits |= queue.writing().bypassDisk();
    }
    long nextTimeNs = files.isValid() ? Math.max(MIN_LOOK_NS, readWhatIsDue()) : MAX_RETRY_NS;
    nextTimeNs = waits ? Math.min(nextTimeNs, BYPASS_NS) : nextTimeNs;
    segments.run();
    closeQueues(work);
    return Math.max(1, Math.min(nextTimeNs, nextRepairNs - clock.nowNs()));
  }

  /** Ends the queues that are to be closed; their last write may use the reserve of a full disk. */
  private void closeQueues(int work) {
    if ((work & QueueWork.CLOSE) == 0) {
      return;
    }
    for (StoredQueue<?> queue : store.queues()) {
      boolean isReady = !queue.writing().isSyncing() && !queue.purges().isRunning();
      if ((queue.work() & QueueWork.CLOSE) != 0 && isReady) {
        if (writeAll(queue) && !queue.writing().isSyncing()) {
          queue.writing().noteClosed();
          // What was acknowledged meanwhile.
          writeAll(queue);
        }
        if (!queue.writing().isSyncing()) {
          queue.writing().endClose();
        }
      }
    }
  }

  private boolean writeAll(StoredQueue<?> queue) {
    boolean writable = files.isValid();
    while (writable && (queue.work() & (QueueWork.WRITE | QueueWork.UPKEEP)) != 0) {
      writable = write(List.of(queue), Extent.ALL);
    }
    return writable;
  }

  /** Writes one transaction; false if it failed. */
  private boolean write(List<StoredQueue<?>> queues, Extent extent) {
    List<WriteBatch<?>> batches = new ArrayList<>();
    for (StoredQueue<?> queue : queues) {
      if ((queue.work() & (QueueWork.WRITE | QueueWork.UPKEEP)) != 0) {
        WriteBatch<?> batch = queue.writing().begin(extent);
        if (batch.isEmpty()) {
          queue.writing().endEmpty();
        } else {
          batches.add(batch);
        }
      }
    }
    return batches.isEmpty() || commit(batches);
  }

  private boolean commit(List<WriteBatch<?>> batches) {
    long[] bytes = new long[batches.size()];
    Throwable failure = put(batches, bytes);
    if (failure != null) {
      batches.forEach(WriteBatch::abort);
      fail(files.reason(failure), failure);
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      end(batches.get(i), bytes[i]);
      reclaimable |= !batches.get(i).deletes().isEmpty();
    }
    return true;
  }

  private void end(WriteBatch<?> batch, long bytes) {
    batch.end(bytes);
    if (batch.durability() == Durability.MACHINE) {
      store.sync(failure -> endForce(batch, failure));
    }
  }

  private void endForce(WriteBatch<?> batch, Throwable failure) {
    if (!batch.endForce(failure == null)) {
      tasks.runAlways(
          () -> {
            if (batch.abortForce()) {
              fail(files.reason(failure), failure);
            }
          });
    }
    store.wakeWriter();
  }

  /** Writes and commits batches to the operating system; returns the failure, or null. */
  private Throwable put(List<WriteBatch<?>> batches, long[] bytes) {
    files.beginUse();
    try (StoreTransaction transaction = files.begin()) {
      if (files.isShortOfRoom()) {
        files.measureRoom();
      }
      Durability durability = Durability.NONE;
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = put(batches.get(i), transaction);
        Durability asked = batches.get(i).durability();
        durability = asked.compareTo(durability) > 0 ? asked : durability;
      }
      transaction.commit(durability == Durability.MACHINE ? Durability.PROCESS : durability);
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    } finally {
      files.endUse();
    }
  }

  private <T> long put(WriteBatch<T> batch, StoreTransaction transaction) {
    StoredQueue<T> queue = batch.queue();
    String name = queue.name();
    OpenTables tables = files.tables();
    long nowMs = System.currentTimeMillis();
    long bytes = 0;
    int least = batch.leastForSegment(store.options());
    long segmentBytes = SegmentUpkeep.segmentBytes(queue.options());
    for (Packet<T> packet : batch.packets()) {
      boolean isDirect = least > 0 && packet.bytes >= least && queue.serde().takesDirectBuffers();
      ByteBuffer out = scratch.of(packet.bytes, isDirect);
      PacketKey key = PacketCodec.encode(packet, queue.serde(), nowMs, out);
      QueueTables.Read placed = tables.place(name, transaction, key, out, least, segmentBytes);
      packet.attempt(placed.key());
      QueueTables.deleteOld(tables, name, transaction, packet);
      QueueTables.put(tables, name, transaction, placed.key(), placed.value());
      bytes += out.remaining();
    }
    for (Packet<T> packet : batch.deletes()) {
      QueueTables.delete(tables, name, transaction, packet.key, packet.progressOnDisk);
      QueueTables.deleteOld(tables, name, transaction, packet);
    }
    for (Packet<T> packet : batch.dirty()) {
      QueueTables.putProgress(tables, name, transaction, packet, PacketProgress.of(packet));
    }
    for (PacketLeft<T> left : batch.detached().left()) {
      QueueTables.putProgress(tables, name, transaction, left.packet(), left.progress());
    }
    DetachedTables.put(files, name, queue.serde(), batch.detached(), transaction, scratch::of);
    if (batch.detached().hasDue()) {
      new ScheduleTable(files, name).noteTime(transaction, clock.nowMs(), clock.leadMs());
    }
    return bytes;
  }

  private void fail(Reason reason, Throwable cause) {
    HeapExhaustion.report(cause);
    if (fault != reason) {
      LOG.error(
          "{} in {}: nothing is appended until it is over{}",
          reason,
          store.options().getDirectory(),
          cause == null ? "" : " (" + JeFiles.firstLine(cause) + ")");
      LOG.debug("what the store failed with", cause);
    }
    if (fault == null) {
      retryNs = 0;
      nextRepairNs = clock.nowNs();
      reclaimable = true;
    }
    fault = reason;
    store.queues().forEach(queue -> queue.writing().storeFault(reason));
  }

  /** Logs once why the store is still unusable. */
  private void stillUnusable(RuntimeException e) {
    if (e instanceof QueueException && !e.getMessage().equals(obstacle)) {
      obstacle = e.getMessage();
      LOG.error("nothing is appended: {}", obstacle);
    }
    LOG.debug("store in {} is still unusable", store.options().getDirectory(), e);
  }

  /**
   * Tries to end a fault. On a full disk acknowledgements are written nevertheless, and so are
   * moves as far as the reserve goes, so that the disk can become empty.
   */
  private boolean repair() {
    try {
      if (!files.isValid()) {
        files.reopen();
        LOG.debug("store in {} reopened", store.options().getDirectory());
      }
      files.measureRoom();
      boolean written = write(store.queues(), Extent.DELETES);
      if (written && files.hasRoomForMoves(true)) {
        Extent extent = files.hasRoomForMoves(false) ? Extent.MOVES : Extent.LAST_MOVES;
        written = write(store.queues(), extent);
      }
      boolean copies = files.hasRoomForMoves(false);
      if (written && !files.hasRoom() && (reclaimable || sparse && copies)) {
        reclaimable = files.reclaim(copies);
        sparse = !copies;
      }
      if (!written || !files.hasRoom()) {
        return false;
      }
      files.measureRoom();
      files.probe();
    } catch (RuntimeException e) {
      stillUnusable(e);
      return false;
    }
    fault = null;
    obstacle = null;
    LOG.info("store in {} writes again", store.options().getDirectory());
    store.queues().forEach(queue -> queue.writing().storeRecovered());
    return true;
  }
}
