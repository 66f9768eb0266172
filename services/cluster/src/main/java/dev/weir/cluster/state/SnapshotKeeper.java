package dev.weir.cluster.state;

import dev.weir.cluster.StateView;
import dev.weir.cluster.log.ChunkedBytes;
import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.LogEnd;
import java.io.IOException;

/**
 * Takes a snapshot of the state each time the log has grown by a number of bytes. Under the group's
 * lock the sessions are copied and a view of the state is taken; another thread writes both.
 */
public final class SnapshotKeeper {
  private final TransactionLog log;
  private final long everyBytes;
  private long bytes;
  private long previous;
  private Taken taken;

  /** A snapshot that is not written yet. */
  public static final class Taken {
    private final LogEnd end;
    private final ChunkedBytes sessions;
    private final StateView state;

    private Taken(LogEnd end, ChunkedBytes sessions, StateView state) {
      this.end = end;
      this.sessions = sessions;
      this.state = state;
    }

    /** Where the history ended. */
    public LogEnd end() {
      return end;
    }
  }

  SnapshotKeeper(TransactionLog log, long everyBytes) {
    this.log = log;
    this.everyBytes = everyBytes;
  }

  /** Counts bytes of log. Under the lock, as all methods but {@link #write}. */
  void appended(int batchBytes) {
    bytes += batchBytes;
  }

  boolean isDue() {
    return bytes >= everyBytes && taken == null;
  }

  void take(LogEnd end, ChunkedBytes sessions, StateView state) {
    taken = new Taken(end, sessions, state);
    bytes = 0;
  }

  /** Has the next snapshot be due after as many bytes as if one had been taken now. */
  void postpone() {
    bytes = 0;
  }

  public boolean isTaken() {
    return taken != null;
  }

  /** The snapshot that is not written yet; null if there is none. */
  public Taken taken() {
    return taken;
  }

  /** Trims the log before the previous snapshot: the new one is on disk. Under the lock. */
  public void written() {
    taken.state.close();
    log.trim(previous);
    previous = taken.end.position();
    taken = null;
  }

  /** Writes a snapshot; without the lock. */
  public void write(Taken snapshot) {
    try {
      log.saveSnapshot(
          snapshot.end,
          out -> {
            snapshot.sessions.writeTo(out);
            snapshot.state.save(out);
          });
    } catch (IOException e) {
      throw new LogException("a snapshot of the group cannot be stored", e);
    }
  }
}
