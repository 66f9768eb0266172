package dev.weir.cluster.state;

import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.LogEnd;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Takes a snapshot every so many bytes of log. The state is copied under the group's lock, which
 * stops the group for as long as that takes; it is written by the group's second thread.
 */
public final class SnapshotKeeper {
  private final TransactionLog log;
  private final long everyBytes;
  private long bytes;
  private long previous;
  private LogEnd takenAt;
  private byte[] taken;

  SnapshotKeeper(TransactionLog log, long everyBytes) {
    this.log = log;
    this.everyBytes = everyBytes;
  }

  /** Counts bytes of log; under the lock, as all but {@link #write}. */
  void appended(int batchBytes) {
    bytes += batchBytes;
  }

  boolean isDue() {
    return bytes >= everyBytes && taken == null;
  }

  void take(LogEnd end, TransactionLog.SnapshotWriter state) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    try {
      state.write(new DataOutputStream(content));
    } catch (IOException e) {
      throw new LogException("the state of the group cannot be saved", e);
    }
    taken = content.toByteArray();
    takenAt = end;
    bytes = 0;
  }

  public boolean isTaken() {
    return taken != null;
  }

  /** It is on disk: the log before the one before it can go. Under the lock. */
  public void written() {
    taken = null;
    log.trim(previous);
    previous = takenAt.position();
  }

  public LogEnd takenAt() {
    return takenAt;
  }

  public byte[] content() {
    return taken;
  }

  /** Writes it; without the lock. */
  public void write(LogEnd end, byte[] content) {
    try {
      log.saveSnapshot(end, out -> out.write(content));
    } catch (IOException e) {
      throw new LogException("a snapshot of the group cannot be stored", e);
    }
  }
}
