package dev.weir.cluster.log;

import com.sleepycat.je.DatabaseException;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.queue.store.UninterruptibleThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/**
 * A transaction log on Berkeley DB JE, in an environment of its own or in one that the groups of a
 * member share ({@link LogStore}). A batch is one record. {@link #append} adds it to JE's log in
 * memory, without a transaction. {@link #force} writes that log to the operating system or forces
 * it to the device, for all logs of the environment at once. After a crash the log has a prefix of
 * the appended batches, which contains all that were forced.
 *
 * <p><b>Threads that use the log must never be interrupted</b>: an interrupt inside JE makes the
 * environment unusable, and so all logs in it. Any failure of JE is thrown as a {@link
 * LogException}. Every later call throws one too; the log must be closed and opened again.
 *
 * <p>{@link #trim} and {@link #reset} take effect at once, but leave the deletion to a thread of
 * the log, which deletes a few batches at a time. Only {@link #close} waits for readers.
 */
public final class JeTransactionLog implements TransactionLog {
  private static final int DELETES_PER_STEP = 200;

  /** Name of the threads that open and close the log. */
  static final String CALL = "weir-log-call";

  private final LogEnvironment environment;
  private final MetaTable meta;
  private final SnapshotTables snapshots;
  private final BatchTables batches;
  private final LogTrimmer.Job trimmer;
  private final LogExtent extent;
  private final LogObjects objects;
  private GroupRecord record;

  /** Number of the records that were put last. */
  private long last;

  private JeTransactionLog(LogEnvironment environment) {
    this.environment = environment;
    this.meta = new MetaTable(environment);
    this.record = meta.record();
    StoredHistory stored = StoredHistory.decode(meta.get(StoredHistory.KEY));
    this.extent = new LogExtent(stored.start(), stored.epochs());
    this.snapshots = new SnapshotTables(environment, meta, stored.generation(), stored.start());
    snapshots.removeOld();
    this.batches = new BatchTables(environment, stored.generation());
    this.trimmer = environment.trimming(this::trimStep);
    this.objects = new LogObjects(environment, meta, snapshots, trimmer::wake);
    recover(stored.awaitsSnapshot());
    this.last = environment.put(0);
    trimmer.wake();
  }

  /**
   * Opens the log with an environment of its own in a directory, which is created if it is absent.
   * Like {@link #close}, it may be called by a thread that is interrupted.
   *
   * @throws LogException if the log cannot be opened; the message says what to do
   */
  public static JeTransactionLog open(Path directory) {
    return UninterruptibleThread.call(
        CALL,
        () -> {
          SharedEnvironment own = new SharedEnvironment(directory);
          own.use();
          return open(own, "");
        });
  }

  /** Opens a log in an environment of which it is a user already. */
  static JeTransactionLog open(SharedEnvironment shared, String prefix) {
    LogEnvironment environment = new LogEnvironment(shared, prefix);
    boolean opened = false;
    try {
      // What an earlier user of the same tables in this process has appended.
      environment.flush(false);
      JeTransactionLog log = new JeTransactionLog(environment);
      opened = true;
      return log;
    } catch (DatabaseException e) {
      throw environment.failed(e);
    } finally {
      if (!opened) {
        environment.close();
      }
    }
  }

  /** Finds the end of the log, and checks that nothing is missing. */
  private void recover(boolean awaitsSnapshot) {
    BatchTable table = batches.current();
    long start = extent.start();
    table.trimTo(start);
    ByteBuffer last = table.last();
    extent.recover(last == null ? start : Math.max(start, Batch.end(last, 0).position()));
    if (extent.end() > start) {
      if (!table.contains(start)) {
        throw environment.damaged("its first batch, at " + start + ", is missing");
      }
      if (Batch.epoch(last, 0) != extent.epochs().epoch()) {
        throw environment.damaged("its last batch is of another epoch than its history says");
      }
    }
    if (!snapshots.isWhole()) {
      if (!awaitsSnapshot) {
        throw environment.damaged("the snapshot that its history starts from is missing");
      }
      // The process ended between the reset and the snapshot. Without a state the history is
      // useless; the replica was not in sync yet.
      replace(LogEnd.EMPTY);
    }
  }

  @Override
  public long start() {
    return extent.start();
  }

  @Override
  public LogEnd end() {
    return extent.logEnd();
  }

  @Override
  public void append(ByteBuffer batch) {
    environment.checkUsable();
    extent.checkAppend(batch);
    try {
      if (extent.beginEpoch(batch)) {
        saveHistory();
      }
      batches.current().put(extent.end(), batch);
    } catch (DatabaseException e) {
      throw environment.failed(e);
    }
    extent.appended(batch);
    last = environment.put(batch.remaining());
  }

  @Override
  public void force(AckLevel level) {
    environment.checkUsable();
    if (level == AckLevel.RECEIVED) {
      return;
    }
    try {
      environment.flush(last, level == AckLevel.FLUSHED);
    } catch (DatabaseException e) {
      throw environment.failed(e);
    }
  }

  @Override
  public LogEnd endOf(long epoch) {
    return extent.endOf(epoch);
  }

  @Override
  public boolean isBoundary(long position) {
    return environment.use(() -> position == extent.end() || hasBatchAt(position));
  }

  private boolean hasBatchAt(long position) {
    return position >= extent.start()
        && position < extent.end()
        && batches.current().contains(position);
  }

  @Override
  public void truncate(long position) {
    environment.use(
        () -> {
          if (position != extent.end()) {
            checkBatchAt(position);
            cut(position);
            trimmer.wake();
          }
          force(AckLevel.FLUSHED);
        });
  }

  private void cut(long position) {
    extent.truncate(
        position,
        () -> {
          // First, so that no snapshot outlives the batches it was taken from.
          snapshots.cut(position);
          batches.current().deleteFrom(position);
        });
    saveHistory();
    last = environment.put(0);
  }

  @Override
  public void read(long position, BatchHandler handler) {
    Lock reading = batches.reading();
    reading.lock();
    try {
      environment.checkUsable();
      long version = extent.version();
      checkBatchAt(position);
      batches.current().read(position, extent, version, handler);
    } catch (DatabaseException e) {
      throw environment.failed(e);
    } finally {
      reading.unlock();
    }
  }

  /** Throws unless a batch starts at the position. */
  private void checkBatchAt(long position) {
    if (!hasBatchAt(position)) {
      throw extent.noBatchAt(position);
    }
  }

  @Override
  public void trim(long position) {
    environment.use(
        () -> {
          long kept = snapshots.trim(position);
          if (kept > extent.start()) {
            extent.trim(kept);
            // Before the first batch is deleted: a missing batch before the start is no damage.
            saveHistory();
            snapshots.forgetTrimmed();
            batches.current().trimTo(kept);
            trimmer.wake();
          }
        });
  }

  /** Deletes some of what was trimmed or replaced; returns whether there may be more. */
  private boolean trimStep() {
    if (!environment.isUsable()) {
      return false;
    }
    try {
      boolean more = batches.removeOld() | batches.current().deleteTrimmed(DELETES_PER_STEP);
      more |= objects.removeOld();
      if (!more) {
        snapshots.removeOld();
      }
      return more;
    } catch (DatabaseException e) {
      throw environment.failed(e);
    }
  }

  @Override
  public void reset(LogEnd newEnd) {
    environment.use(() -> replace(newEnd));
    trimmer.wake();
  }

  private void replace(LogEnd newEnd) {
    BatchTable replaced = batches.current();
    extent.reset(
        newEnd,
        () -> {
          batches.next(objects.arrived());
          snapshots.reset(batches.generation(), newEnd.position());
        });
    // This record replaces the old history by the new one.
    saveHistory();
    environment.flush(true);
    batches.retire(replaced);
    objects.replace(batches.generation());
  }

  @Override
  public void saveSnapshot(LogEnd at, SnapshotWriter writer) throws IOException {
    environment.checkUsable();
    try {
      snapshots.save(at, objects.takeMark(), () -> holds(at), writer);
      objects.forget();
      environment.checkpoint();
    } catch (DatabaseException e) {
      throw environment.failed(e);
    }
  }

  private boolean holds(LogEnd at) {
    return extent.holds(at)
        && (at.position() == extent.end() || batches.current().contains(at.position()));
  }

  @Override
  public LogEnd snapshot() {
    return snapshots.last();
  }

  @Override
  public void readSnapshot(SnapshotReader reader) throws IOException {
    read(null, reader);
  }

  @Override
  public void copySnapshot(SnapshotReader reader) throws IOException {
    read(() -> objects.open(batches.generation()), reader);
  }

  private void read(Supplier<JeObjects> withObjects, SnapshotReader reader) throws IOException {
    environment.checkUsable();
    try {
      snapshots.read(withObjects, reader);
    } catch (DatabaseException e) {
      throw environment.failed(e);
    }
  }

  @Override
  public Spool spool() {
    return environment.use(snapshots::spool);
  }

  @Override
  public StoredObjects objects(boolean begins) {
    return begins || meta.hasObjects() ? objects.open(batches.generation()) : null;
  }

  @Override
  public void checkUsable() {
    environment.checkUsable();
  }

  @Override
  public GroupRecord record() {
    return record;
  }

  @Override
  public void save(GroupRecord newRecord) {
    environment.use(() -> meta.save(newRecord));
    record = newRecord;
  }

  private void saveHistory() {
    StoredHistory stored =
        new StoredHistory(
            batches.generation(), !snapshots.isWhole(), extent.start(), extent.epochs());
    meta.put(StoredHistory.KEY, stored.encode());
  }

  @Override
  public long diskId() {
    return meta.diskId();
  }

  @Override
  public long diskBytes() {
    return environment.bytes();
  }

  @Override
  public void close() {
    UninterruptibleThread.run(CALL, this::closeUninterrupted);
  }

  private void closeUninterrupted() {
    trimmer.close();
    // A reader that comes from now on must not find a closed table.
    environment.refuse();
    snapshots.close();
    objects.close();
    batches.close();
    meta.close();
    environment.close();
  }
}
