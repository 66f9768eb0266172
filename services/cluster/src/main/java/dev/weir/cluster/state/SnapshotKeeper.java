package dev.weir.cluster.state;

import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.LogEnd;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Takes a snapshot of the state each time the log has grown by a number of bytes. The state is
 * copied under the group's lock, so the group stops during the copy; another thread writes the
 * copy.
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

  /** Counts bytes of log. Under the lock, as all methods but {@link #write}. */
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

  /** Trims the log before the previous snapshot: the new one is on disk. Under the lock. */
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

  /** Writes a copied state as a snapshot; without the lock. */
  public void write(LogEnd end, byte[] content) {
    try {
      log.saveSnapshot(end, out -> out.write(content));
    } catch (IOException e) {
      throw new LogException("a snapshot of the group cannot be stored", e);
    }
  }
}
