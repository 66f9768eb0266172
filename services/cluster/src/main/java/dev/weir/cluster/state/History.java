package dev.weir.cluster.state;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.log.Batch;
import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.Persister;
import dev.weir.cluster.log.Spool;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.threads.Turn;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * Keeps a replica's log and its state consistent with each other. Under the group's lock.
 *
 * <p>With a {@link Persister}, and in a turn of a thread, a batch belongs to the history before it
 * is persisted. State and new batches build on {@link #end}; other members are told {@link
 * #persisted}. Nobody changes role, truncates or takes a snapshot before both are the same ({@link
 * #settle}).
 */
public final class History {
  private final String group;
  private final TransactionLog log;
  private final AckLevel level;
  private final Sessions sessions;
  private final Handling handling;
  private final SnapshotKeeper snapshots;
  private final Persister persister;
  private final int ownVersion;
  private volatile LogEnd persisted;

  /** Whether somebody will call {@link #collect} soon for what is appended now. */
  private BooleanSupplier later = () -> false;

  /** The highest version of the application that a batch or the snapshot has. */
  private int version = 1;

  private long replayed;
  private long snapshotPauseNs;

  /**
   * Recovers the state from the log.
   *
   * @param log a {@link Persister} if it is written by a thread of its own
   * @throws IllegalStateException if the log is of a later version of the application
   */
  public History(GroupOptions options, TransactionLog log, Sessions sessions, Handling handling) {
    this.group = options.getName();
    this.log = log;
    this.persister = log instanceof Persister detached ? detached : null;
    this.persisted = log.end();
    this.level = options.getAckLevel();
    this.sessions = sessions;
    this.handling = handling;
    this.ownVersion = handling.version();
    this.snapshots = new SnapshotKeeper(options.getName(), log, options.getSnapshotBytes());
    recover();
  }

  /** Name of the group. */
  public String group() {
    return group;
  }

  public TransactionLog log() {
    return log;
  }

  public LogEnd end() {
    return log.end();
  }

  /**
   * The end of what this replica has persisted at the group's acknowledgement level, as of the last
   * {@link #collect}.
   */
  public LogEnd persisted() {
    return level == AckLevel.RECEIVED ? log.end() : persisted;
  }

  /** Whether {@link #collect} would find newly persisted batches; any thread. */
  public boolean hasNews() {
    return persister != null && level != AckLevel.RECEIVED && persister.persisted() != persisted;
  }

  /**
   * Has batches persisted later, together with those of other groups. Before the first batch.
   *
   * @param later asked at each batch: whether somebody will call {@link #collect} soon
   */
  public void persistLater(BooleanSupplier later) {
    this.later = later;
  }

  /** Updates how far the log is persisted; without a persister that is as far as it reaches. */
  public void collect() {
    if (persister == null && !persisted.equals(log.end())) {
      if (level == AckLevel.FLUSHED) {
        Turn.sendNow();
      }
      log.force(level);
    }
    readPersisted();
  }

  private void readPersisted() {
    persisted = persister == null ? log.end() : persister.persisted();
  }

  /**
   * Lets time pass. Reads alone use the log too, and what they were thrown may have been hidden.
   *
   * @throws LogException if the log can no longer be used
   */
  public void tick() {
    log.checkUsable();
    handling.tick();
  }

  /** Waits until the whole history is persisted. */
  public void settle() {
    if (persister != null) {
      persister.settle();
    }
    collect();
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

  /** The version of the application that the processor of this member states. */
  public int ownVersion() {
    return ownVersion;
  }

  /** The version of the application that the history is of, which a member must know to have it. */
  public int version() {
    return version;
  }

  /**
   * The history goes on in at least this version of the application.
   *
   * @throws IllegalStateException if the processor of this member does not know it
   */
  public void raise(int next) {
    if (next > ownVersion) {
      throw new IllegalStateException(
          "the messages of the group are of application version "
              + next
              + ", and the processor of this member states version "
              + ownVersion
              + ": start the later version of the application");
    }
    version = Math.max(version, next);
  }

  /** The time stamp of the last batch, ms since 1970; 0 before the first. */
  public long timeMs() {
    return sessions.timeMs();
  }

  /** Number of messages replayed from the log or from a primary. */
  public long replayed() {
    return replayed;
  }

  /** The longest time that taking a snapshot took, ns; 0 before the first. */
  public long snapshotPauseNs() {
    return snapshotPauseNs;
  }

  /**
   * Appends a batch, from the buffer's position to its limit, and persists it at the group's
   * acknowledgement level. With a persister that happens later on another thread, in a turn at its
   * end.
   */
  public void append(ByteBuffer batch) {
    raise(Batch.version(batch, batch.position()));
    log.append(batch);
    if (persister == null && (level == AckLevel.RECEIVED || !later.getAsBoolean())) {
      collect();
    }
    snapshots.appended(batch.remaining());
  }

  /** Applies a batch to the state. */
  public void replay(ByteBuffer batch, int at) {
    int end = at + Batch.bytes(batch, at);
    int release = apply(batch, at);
    while (release + Batch.RELEASE_BYTES <= end) {
      sessions.release(Batch.releasingClient(batch, release), Batch.releasedBefore(batch, release));
      release += Batch.RELEASE_BYTES;
    }
    sessions.advance(Batch.timeMs(batch, at));
  }

  /** Applies the messages of a batch; returns the offset behind them. */
  private int apply(ByteBuffer batch, int at) {
    int count = Batch.count(batch, at);
    int itsVersion = Batch.version(batch, at);
    raise(itsVersion);
    long timeMs = Batch.timeMs(batch, at);
    int message = Batch.first(at);
    for (int i = 0; i < count; i++) {
      if (Batch.isRejected(batch, message)) {
        sessions.reject(
            Batch.clientId(batch, message),
            Batch.sequence(batch, message),
            batch,
            Batch.body(message),
            Batch.bodyBytes(batch, message));
      } else {
        handling.replay(batch, message, timeMs, itsVersion);
      }
      message = Batch.next(batch, message);
    }
    replayed += count;
    return message;
  }

  /** Rebuilds the state from the last snapshot and the log. */
  public void rebuild() {
    checkSaved();
    settle();
    recover();
  }

  /**
   * Rebuilds the state from the last snapshot, the log and an open batch.
   *
   * @param open a batch of messages that are handled but not appended, from {@code at} on
   */
  public void rebuild(ByteBuffer open, int at) {
    rebuild();
    apply(open, at);
  }

  /** Truncates the log at a position and rebuilds the state without the cut messages. */
  public void truncate(long position) {
    checkSaved();
    log.truncate(position);
    readPersisted();
    recover();
  }

  /** Removes all messages, snapshots and state. */
  public void clear() {
    checkSaved();
    log.reset(LogEnd.EMPTY);
    readPersisted();
    recover();
  }

  /** Takes a snapshot of another replica, for {@link #replaceBy}. */
  public Spool arrival() {
    return handling.arrival(log);
  }

  /**
   * Replaces log and state by a snapshot. The log stays if the snapshot cannot be restored.
   *
   * @param snapshot from {@link #arrival}
   */
  public void replaceBy(LogEnd end, Spool snapshot) {
    checkSaved();
    try (DataInputStream in = new DataInputStream(snapshot.read())) {
      restoreSessions(in);
      if (!handling.isStored()) {
        handling.restore(in);
      }
      log.reset(end);
      log.saveSnapshot(end, snapshot::writeTo);
      collect();
    } catch (IOException e) {
      throw new LogException("a snapshot of the primary cannot be stored", e);
    }
    recover();
  }

  /**
   * A state on the disk goes back to an earlier one there, so nothing else may be written
   * meanwhile. Whoever changes the history waits for the snapshot.
   */
  private void checkSaved() {
    if (handling.isStored() && snapshots.isTaken()) {
      throw new IllegalStateException("a snapshot of the state is being written");
    }
  }

  private void recover() {
    LogEnd from;
    do {
      from = log.snapshot();
      readSnapshot();
      // Another thread may complete a later snapshot meanwhile, which is then the one that was
      // read.
    } while (!from.equals(log.snapshot()));
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

  private void readSnapshot() {
    try {
      restore(null);
      log.readSnapshot(this::restore);
    } catch (IOException e) {
      throw new LogException("the last snapshot of the group cannot be read", e);
    }
  }

  private void restore(DataInput in) throws IOException {
    restoreSessions(in);
    handling.restore(in);
  }

  private void restoreSessions(DataInput in) throws IOException {
    version = 1;
    raise(sessions.restore(in));
  }

  /**
   * Takes a snapshot if one is due; log and state must agree.
   *
   * @return whether a snapshot was taken
   */
  public boolean takeSnapshotIfDue() {
    if (!snapshots.isDue()) {
      return false;
    }
    long startNs = System.nanoTime();
    settle();
    try {
      snapshots.take(log.end(), version, sessions.view(), handling.view());
    } catch (IOException | RuntimeException | Error e) {
      snapshots.failed(e);
      return false;
    } finally {
      snapshotPauseNs = Math.max(snapshotPauseNs, System.nanoTime() - startNs);
    }
    return true;
  }
}
