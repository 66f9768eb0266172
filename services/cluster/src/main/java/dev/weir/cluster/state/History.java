package dev.weir.cluster.state;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.log.Batch;
import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.Persister;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.LogEnd;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The log of a replica and the state it has led to, kept in step. Under the group's lock.
 *
 * <p>With a {@link Persister} the history goes on before it is held: {@link #end} is what state and
 * batches go by, {@link #persisted} what others are told. Nobody changes role, truncates or takes a
 * snapshot before both are the same ({@link #settle}).
 */
public final class History {
  private final TransactionLog log;
  private final AckLevel level;
  private final Sessions sessions;
  private final Handling handling;
  private final SnapshotKeeper snapshots;
  private final Persister persister;
  private volatile LogEnd persisted;
  private long replayed;

  /**
   * Recovers the state from the log.
   *
   * @param log a {@link Persister} if it is written by a thread of its own
   */
  public History(GroupOptions options, TransactionLog log, Sessions sessions, Handling handling) {
    this.log = log;
    this.persister = log instanceof Persister detached ? detached : null;
    this.persisted = log.end();
    this.level = options.getAckLevel();
    this.sessions = sessions;
    this.handling = handling;
    this.snapshots = new SnapshotKeeper(log, options.getSnapshotBytes());
    recover();
  }

  public TransactionLog log() {
    return log;
  }

  public LogEnd end() {
    return log.end();
  }

  /** How far this replica holds the history as the group asks; as of {@link #collect}. */
  public LogEnd persisted() {
    return isPersistedAtOnce() ? log.end() : persisted;
  }

  private boolean isPersistedAtOnce() {
    return persister == null || level == AckLevel.RECEIVED;
  }

  /** Whether {@link #collect} would find something; any thread. */
  public boolean hasNews() {
    return !isPersistedAtOnce() && persister.persisted() != persisted;
  }

  /** Takes in how far the log is written. */
  public void collect() {
    if (persister != null) {
      persisted = persister.persisted();
    }
  }

  /** Waits until all there is is held. */
  public void settle() {
    if (persister != null) {
      persister.settle();
      persisted = persister.persisted();
    }
  }

  public Sessions sessions() {
    return sessions;
  }

  public Handling handling() {
    return handling;
  }

  public SnapshotKeeper snapshots() {
    return snapshots;
  }

  /** Messages brought in from the log. */
  public long replayed() {
    return replayed;
  }

  /**
   * Appends a batch, from the buffer's position to its limit, and brings it as far as the group
   * asks; with a persister, some time later.
   */
  public void append(ByteBuffer batch) {
    log.append(batch);
    if (persister == null) {
      log.force(level);
    }
    snapshots.appended(batch.remaining());
  }

  /** Brings the effect of a batch into the state. */
  public void replay(ByteBuffer batch, int at) {
    int count = Batch.count(batch, at);
    long timeMs = Batch.timeMs(batch, at);
    int message = Batch.first(at);
    for (int i = 0; i < count; i++) {
      handling.replay(batch, message, timeMs);
      message = Batch.next(batch, message);
    }
    replayed += count;
  }

  /** Forgets what is from a position on, and what it led to. */
  public void truncate(long position) {
    log.truncate(position);
    collect();
    recover();
  }

  /** Forgets everything. */
  public void clear() {
    log.reset(LogEnd.EMPTY);
    collect();
    recover();
  }

  /** Replaces everything by a snapshot. */
  public void replaceBy(LogEnd end, byte[] snapshot) {
    try {
      log.reset(end);
      collect();
      log.saveSnapshot(end, out -> out.write(snapshot));
    } catch (IOException e) {
      throw new LogException("a snapshot of the primary cannot be stored", e);
    }
    recover();
  }

  private void recover() {
    LogEnd from = log.snapshot();
    try {
      handling.restore(null);
      sessions.restore(null);
      log.readSnapshot(
          in -> {
            sessions.restore(in);
            handling.restore(in);
          });
    } catch (IOException e) {
      throw new LogException("the last snapshot of the group cannot be read", e);
    }
    long position = Math.max(from.position(), log.start());
    if (position < log.end().position()) {
      log.read(
          position,
          batch -> {
            replay(batch, batch.position());
            return true;
          });
    }
  }

  /** Takes a snapshot if it is time; log and state must agree. Returns whether it did. */
  public boolean takeSnapshotIfDue() {
    if (!snapshots.isDue()) {
      return false;
    }
    settle();
    snapshots.take(
        log.end(),
        out -> {
          sessions.save(out);
          handling.save(out);
        });
    return true;
  }
}
