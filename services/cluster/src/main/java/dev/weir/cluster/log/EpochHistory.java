package dev.weir.cluster.log;

import dev.weir.cluster.protocol.LogEnd;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Which epoch began at which position of a log: the answer to where two histories part. Epochs go
 * up, and each holds at least one message. Any thread.
 */
final class EpochHistory {
  private static final int ENTRY_BYTES = 2 * Long.BYTES;

  /** Where the history known begins: in this epoch, at this position. */
  private LogEnd base;

  private long[] epochs = new long[8];
  private long[] starts = new long[8];
  private int count;

  public EpochHistory(LogEnd base) {
    this.base = base;
  }

  /** Replaces everything by a history of nothing that starts at an end. */
  public synchronized void reset(LogEnd newBase) {
    base = newBase;
    count = 0;
  }

  /** Epoch of the last message. */
  public synchronized long epoch() {
    return count == 0 ? base.epoch() : epochs[count - 1];
  }

  /** Takes the beginning of a higher epoch at the end of the log. */
  public synchronized void begin(long epoch, long position) {
    if (count == epochs.length) {
      epochs = Arrays.copyOf(epochs, 2 * count);
      starts = Arrays.copyOf(starts, 2 * count);
    }
    epochs[count] = epoch;
    starts[count++] = position;
  }

  /** Forgets the epochs that began at a position or after it. */
  public synchronized void truncate(long position) {
    while (count > 0 && starts[count - 1] >= position) {
      count--;
    }
  }

  /** See {@link TransactionLog#endOf}; {@link LogEnd#EMPTY} for an epoch before the base. */
  public synchronized LogEnd endOf(long epoch, long endPosition) {
    long position = endPosition;
    for (int i = count - 1; i >= 0; i--) {
      if (epochs[i] <= epoch) {
        return new LogEnd(epochs[i], position);
      }
      position = starts[i];
    }
    return base.epoch() <= epoch ? new LogEnd(base.epoch(), position) : LogEnd.EMPTY;
  }

  /** Whether a log that ends there holds an end, as it was at some time. */
  public synchronized boolean holds(LogEnd end, long endPosition) {
    if (end.equals(base)) {
      return true;
    }
    LogEnd found = endOf(end.epoch(), endPosition);
    return found.epoch() == end.epoch()
        && end.position() <= found.position()
        && end.position() > startOf(end.epoch());
  }

  private long startOf(long epoch) {
    for (int i = 0; i < count; i++) {
      if (epochs[i] == epoch) {
        return starts[i];
      }
    }
    return base.position();
  }

  public synchronized int bytes() {
    return ENTRY_BYTES + Integer.BYTES + count * ENTRY_BYTES;
  }

  public synchronized void encode(ByteBuffer out) {
    out.putLong(base.epoch()).putLong(base.position()).putInt(count);
    for (int i = 0; i < count; i++) {
      out.putLong(epochs[i]).putLong(starts[i]);
    }
  }

  /** Reads what {@link #encode} wrote. */
  public static EpochHistory decode(ByteBuffer in) {
    EpochHistory history = new EpochHistory(new LogEnd(in.getLong(), in.getLong()));
    for (int left = in.getInt(); left > 0; left--) {
      history.begin(in.getLong(), in.getLong());
    }
    return history;
  }
}
