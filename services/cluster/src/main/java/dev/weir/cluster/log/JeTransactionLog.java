package dev.weir.cluster.log;

import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.Durability;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.protocol.EpochHistory;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.Lock;

/**
 * A transaction log on Berkeley DB JE, one environment per directory. A batch is one record,
 * appended to JE's log in memory and not within a transaction; {@link #force} writes that log, or
 * forces it to the device. After a crash there is a prefix of what was appended that holds all that
 * was forced.
 *
 * <p><b>Threads that use it must never be interrupted</b>: an interrupt inside JE costs the
 * environment. Any failure of JE is told as a {@link LogException}; from then on every call throws
 * one, and all that helps is to close the log and open it anew.
 *
 * <p>{@link #trim} and {@link #reset} forget at once and leave the deletion to a thread of the log,
 * which deletes a few batches at a time. No method but {@link #close} waits for a reader.
 */
public final class JeTransactionLog implements TransactionLog {
  private static final int DELETES_PER_STEP = 200;

  private final JeLogFiles files;
  private final LogMeta meta;
  private final JeSnapshots snapshots;
  private final JeGenerations generations;
  private final LogTrimmer trimmer;

  /**
   * Counts the beginnings and ends of cuts and replacements, so that a reader sees that one was.
   */
  private volatile long cuts;

  private final EpochHistory history;
  private GroupRecord record;

  /** Batches before it are forgotten, but maybe not yet deleted. */
  private volatile long start;

  private volatile long end;

  /** Nothing was appended since it was last handed to the operating system, or forced. */
  private boolean written = true;

  private boolean forced;

  private JeTransactionLog(JeLogFiles files) {
    this.files = files;
    this.meta = new LogMeta(files);
    this.record = meta.record();
    LogHistory stored = LogHistory.decode(meta.get(LogHistory.KEY));
    this.history = stored.epochs();
    this.start = stored.start();
    this.snapshots = new JeSnapshots(files, meta, stored.generation(), start);
    snapshots.removeOld();
    this.generations = new JeGenerations(files, stored.generation());
    recover(stored.awaitsSnapshot());
    this.trimmer = new LogTrimmer("weir-log-" + files.directory().getFileName(), this::trimStep);
    trimmer.wake();
  }

  /**
   * Opens the log in a directory, which is made if it is absent. Like {@link #close}, it may be
   * called by a thread that is interrupted.
   *
   * @throws LogException if that is impossible; the message says what to do
   */
  public static JeTransactionLog open(Path directory) {
    return LogCall.call(() -> openHere(directory));
  }

  private static JeTransactionLog openHere(Path directory) {
    JeLogFiles files = new JeLogFiles(directory);
    boolean opened = false;
    try {
      JeTransactionLog log = new JeTransactionLog(files);
      opened = true;
      return log;
    } catch (DatabaseException e) {
      throw files.failed(e);
    } finally {
      if (!opened) {
        files.close();
      }
    }
  }

  /** Finds out how far the batches go. */
  private void recover(boolean awaitsSnapshot) {
    JeBatches batches = generations.current();
    batches.trimTo(start);
    ByteBuffer last = batches.last();
    end = last == null ? start : Math.max(start, Batch.end(last, 0).position());
    history.truncate(end);
    if (last != null && end > start) {
      if (!batches.contains(start)) {
        throw files.damaged("the batch at " + start + ", its first, is missing");
      }
      if (Batch.epoch(last, 0) != history.epoch()) {
        throw files.damaged("its last batch is of another epoch than its history says");
      }
    }
    if (!snapshots.isWhole()) {
      if (!awaitsSnapshot) {
        throw files.damaged("the snapshot that its history starts from is missing");
      }
      // The process ended between the reset and the snapshot: without a state the history is of no
      // use. The replica was not in sync yet.
      replace(LogEnd.EMPTY);
    }
  }

  @Override
  public long start() {
    return start;
  }

  @Override
  public LogEnd end() {
    return new LogEnd(history.epoch(), end);
  }

  @Override
  public void append(ByteBuffer batch) {
    files.checkUsable();
    LogChecks.append(batch, history.epoch(), end);
    int at = batch.position();
    try {
      if (Batch.epoch(batch, at) > history.epoch()) {
        history.begin(Batch.epoch(batch, at), end);
        saveHistory(Durability.COMMIT_NO_SYNC);
      }
      generations.current().put(end, batch);
    } catch (DatabaseException e) {
      throw files.failed(e);
    }
    end += Batch.count(batch, at);
    written = false;
    forced = false;
  }

  @Override
  public void force(AckLevel level) {
    files.checkUsable();
    boolean toDevice = level == AckLevel.FLUSHED;
    if (toDevice ? forced : written || level == AckLevel.RECEIVED) {
      return;
    }
    try {
      files.flush(toDevice);
    } catch (DatabaseException e) {
      throw files.failed(e);
    }
    written = true;
    forced = toDevice;
  }

  @Override
  public LogEnd endOf(long epoch) {
    return history.endOf(epoch, end);
  }

  @Override
  public void truncate(long position) {
    files.checkUsable();
    try {
      if (position != end) {
        if (position < start || position > end || !generations.current().contains(position)) {
          throw LogChecks.noBatchAt(position, start, end);
        }
        cut(position);
        trimmer.wake();
      }
      force(AckLevel.FLUSHED);
    } catch (DatabaseException e) {
      throw files.failed(e);
    }
  }

  private void cut(long position) {
    cuts++;
    end = position;
    history.truncate(position);
    // After this no snapshot of what is cut can be added, and before a batch goes.
    snapshots.cut(position);
    generations.current().deleteFrom(position);
    cuts++;
    saveHistory(Durability.COMMIT_NO_SYNC);
    forced = false;
  }

  @Override
  public void read(long position, BatchHandler handler) {
    Lock reading = generations.reading();
    reading.lock();
    try {
      files.checkUsable();
      Range range = new Range(cuts);
      JeBatches batches = generations.current();
      if (position < start || position >= end || !batches.contains(position)) {
        throw LogChecks.noBatchAt(position, start, end);
      }
      batches.read(position, range, handler);
    } catch (DatabaseException e) {
      throw files.failed(e);
    } finally {
      reading.unlock();
    }
  }

  /** What a reader may read. */
  private final class Range implements JeBatches.Range {
    private final long cutsBefore;

    Range(long cutsBefore) {
      this.cutsBefore = cutsBefore;
    }

    @Override
    public long start() {
      return start;
    }

    @Override
    public long end() {
      return end;
    }

    @Override
    public boolean isCurrent() {
      return cuts == cutsBefore;
    }
  }

  @Override
  public void trim(long position) {
    files.checkUsable();
    try {
      long kept = snapshots.trim(position);
      if (kept > start) {
        start = kept;
        // Before the first batch goes: what is found without it is known to be trimmed.
        saveHistory(Durability.COMMIT_NO_SYNC);
        snapshots.forgetTrimmed();
        generations.current().trimTo(kept);
        trimmer.wake();
      }
    } catch (DatabaseException e) {
      throw files.failed(e);
    }
  }

  /** Deletes something that is of no use any more; returns whether there may be more. */
  private boolean trimStep() {
    if (!files.isUsable()) {
      return false;
    }
    try {
      boolean more =
          generations.removeOld() | generations.current().deleteTrimmed(DELETES_PER_STEP);
      if (!more) {
        snapshots.removeOld();
      }
      return more;
    } catch (DatabaseException e) {
      throw files.failed(e);
    }
  }

  @Override
  public void reset(LogEnd newEnd) {
    files.checkUsable();
    try {
      replace(newEnd);
    } catch (DatabaseException e) {
      throw files.failed(e);
    }
    trimmer.wake();
  }

  private void replace(LogEnd newEnd) {
    cuts++;
    JeBatches replaced = generations.next();
    history.reset(newEnd);
    start = newEnd.position();
    end = start;
    snapshots.reset(generations.generation(), start);
    cuts++;
    // This one record makes the difference.
    saveHistory(Durability.COMMIT_SYNC);
    generations.retire(replaced);
  }

  @Override
  public void saveSnapshot(LogEnd at, SnapshotWriter writer) throws IOException {
    files.checkUsable();
    try {
      snapshots.save(at, () -> holds(at), writer);
    } catch (DatabaseException e) {
      throw files.failed(e);
    }
  }

  private boolean holds(LogEnd at) {
    return history.holds(at, end)
        && (at.position() == end || generations.current().contains(at.position()));
  }

  @Override
  public LogEnd snapshot() {
    return snapshots.last();
  }

  @Override
  public void readSnapshot(SnapshotReader reader) throws IOException {
    files.checkUsable();
    try {
      snapshots.read(reader);
    } catch (DatabaseException e) {
      throw files.failed(e);
    }
  }

  @Override
  public GroupRecord record() {
    return record;
  }

  @Override
  public void save(GroupRecord newRecord) {
    files.checkUsable();
    try {
      meta.save(newRecord);
    } catch (DatabaseException e) {
      throw files.failed(e);
    }
    record = newRecord;
  }

  private void saveHistory(Durability durability) {
    LogHistory stored =
        new LogHistory(generations.generation(), !snapshots.isWhole(), start, history);
    meta.put(durability, LogHistory.KEY, stored.encode());
  }

  @Override
  public long diskBytes() {
    return files.bytes();
  }

  @Override
  public void close() {
    LogCall.call(
        () -> {
          closeHere();
          return null;
        });
  }

  private void closeHere() {
    trimmer.close();
    // Who comes to read from now on must not find closed batches.
    files.refuse();
    generations.close();
    meta.close();
    files.close();
  }
}
