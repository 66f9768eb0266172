package dev.weir.cluster.state;

import dev.weir.cluster.StateView;
import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.protocol.Membership;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a snapshot of the state each time the log has grown by a number of bytes. Under the group's
 * lock a view of the sessions and one of the state are taken; another thread writes both.
 *
 * <p>If the processor throws, there is no snapshot, and the next attempt is made when one is due
 * again. The same would happen on every member, so the group goes on. A failure of the log is
 * thrown on.
 */
public final class SnapshotKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotKeeper.class);

  /** However small a copy is, the log is kept for so many snapshots after it. */
  private static final int KEPT_SNAPSHOTS = 4;

  private final String group;
  private final TransactionLog log;
  private final long everyBytes;
  private long bytes;
  private long previous;
  private volatile Taken taken;

  /** When the last snapshot of this process was complete; only if there is one. */
  private long writtenNs;

  private boolean isWritten;

  /** Each member needs the log from there on; the largest number if it does not. */
  private final long[] neededFrom = new long[Membership.SLOTS];

  /** So many bytes of log more each gets; the largest number for all. */
  private final long[] neededBytes = new long[Membership.SLOTS];

  /** Of log since the start of this process. Changed under the lock. */
  private volatile long appendedBytes;

  /** A snapshot that is not written yet. */
  public static final class Taken {
    private final LogEnd end;
    private final int version;
    private final SessionsView sessions;
    private final StateView state;

    /** What the view threw while it was written; null if nothing. */
    private Throwable failure;

    private Taken(LogEnd end, int version, SessionsView sessions, StateView state) {
      this.end = end;
      this.version = version;
      this.sessions = sessions;
      this.state = state;
    }

    /** Where the history ended. */
    public LogEnd end() {
      return end;
    }

    private void save(DataOutput out) throws IOException {
      sessions.save(out, version);
      LogOutput checked = new LogOutput(out);
      try {
        state.save(new DataOutputStream(checked));
      } catch (IOException | RuntimeException | Error e) {
        if (checked.failed || e instanceof LogException) {
          throw e;
        }
        throw new ViewFailure(e);
      }
    }
  }

  /** The view of the state threw, and not the log. */
  private static final class ViewFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ViewFailure(Throwable cause) {
      super(cause);
    }
  }

  /** Passes bytes on to the log and notes whether the log threw. */
  private static final class LogOutput extends OutputStream {
    private final DataOutput log;
    private boolean failed;

    LogOutput(DataOutput log) {
      this.log = log;
    }

    @Override
    public void write(int b) throws IOException {
      failed = true;
      log.write(b);
      failed = false;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, bytes.length);
      failed = true;
      log.write(bytes, offset, length);
      failed = false;
    }
  }

  SnapshotKeeper(String group, TransactionLog log, long everyBytes) {
    this.group = group;
    this.log = log;
    this.everyBytes = everyBytes;
    Arrays.fill(neededFrom, Long.MAX_VALUE);
  }

  /** Counts bytes of log. Under the lock, as all methods that do not say otherwise. */
  void appended(int batchBytes) {
    bytes += batchBytes;
    appendedBytes += batchBytes;
  }

  /** Makes a snapshot due now, however little the log has grown. */
  public void demand() {
    bytes = Math.max(bytes, everyBytes);
  }

  boolean isDue() {
    return bytes >= everyBytes && taken == null;
  }

  void take(LogEnd end, int version, SessionsView sessions, StateView state) {
    taken = new Taken(end, version, sessions, state);
    bytes = 0;
  }

  /** The processor threw: the next snapshot is due as if one had been taken now. */
  void failed(Throwable cause) {
    LOG.error("group {}: its state cannot be saved, so its log grows: {}", group, cause, cause);
    bytes = 0;
  }

  /**
   * Keeps the log from a position on, of which a member is being sent a snapshot; not any more from
   * that of an earlier one that it was sent.
   */
  public void need(int member, long position) {
    neededFrom[member] = position;
    neededBytes[member] = Long.MAX_VALUE;
  }

  /** Bytes of log since the start of this process; any thread. */
  public long appendedBytes() {
    return appendedBytes;
  }

  /** Most bytes of log that are kept for a slow member, if its copy has so many; any thread. */
  public long mostKeptBytes(long copyBytes) {
    return copyBytes + KEPT_SNAPSHOTS * everyBytes;
  }

  /**
   * The snapshot was sent. The log after it is kept until {@link #needNothing}, also for a member
   * that is gone for a while, but no more of it than another copy would have.
   */
  public void sent(int member, long copyBytes) {
    neededBytes[member] = mostKeptBytes(copyBytes);
  }

  /** The member has what it was to get. */
  public void needNothing(int member) {
    neededFrom[member] = Long.MAX_VALUE;
  }

  /** Whether there is a snapshot that is not written yet; any thread. */
  public boolean isTaken() {
    return taken != null;
  }

  /** The snapshot that is not written yet; null if there is none. */
  public Taken taken() {
    return taken;
  }

  /** Updates the log after {@link #write} has ended. Under the lock. */
  public void written() {
    close(taken.state);
    if (taken.failure == null) {
      // The new snapshot is on disk, so the log before the previous one is not needed.
      letGo();
      log.trim(Math.min(previous, Arrays.stream(neededFrom).min().getAsLong()));
      previous = taken.end.position();
      writtenNs = System.nanoTime();
      isWritten = true;
    } else {
      failed(taken.failure);
    }
    taken = null;
  }

  /** Counts what has come for the members that were sent a copy; too much ends their need. */
  private void letGo() {
    for (int member = 0; member < neededFrom.length; member++) {
      neededBytes[member] -= neededBytes[member] == Long.MAX_VALUE ? 0 : everyBytes;
      if (neededBytes[member] < 0) {
        needNothing(member);
      }
    }
  }

  /** Time since the last snapshot was complete, ns; -1 before the first of this process. */
  public long ageNs() {
    return isWritten ? System.nanoTime() - writtenNs : -1;
  }

  private void close(StateView view) {
    try {
      view.close();
    } catch (Throwable e) {
      LOG.error("group {}: a view of its state cannot be closed: {}", group, e, e);
    }
  }

  /** Writes a snapshot; without the lock. One thread at a time. */
  public void write(Taken snapshot) {
    try {
      log.saveSnapshot(snapshot.end, snapshot::save);
    } catch (ViewFailure e) {
      snapshot.failure = e.getCause();
    } catch (IOException e) {
      throw new LogException("a snapshot of the group cannot be stored", e);
    }
  }
}
