package dev.weir.cluster.log;

import dev.weir.cluster.protocol.EpochHistory;
import dev.weir.cluster.protocol.LogEnd;
import java.nio.ByteBuffer;

/**
 * What a transaction log stores of its history, in one record: written when that is begun, cut,
 * trimmed or replaced.
 *
 * @param generation names the database of the batches
 * @param awaitsSnapshot whether it starts where a snapshot was to be saved, but none was yet
 * @param start batches before it are forgotten, but maybe not yet deleted
 * @param epochs which epoch began where, up to when this was written
 */
record LogHistory(long generation, boolean awaitsSnapshot, long start, EpochHistory epochs) {
  /** Under which key it is stored. */
  static final String KEY = "history";

  /**
   * Reads what {@link #encode} wrote.
   *
   * @param in null for a log that has none yet
   */
  static LogHistory decode(ByteBuffer in) {
    return in == null
        ? new LogHistory(0, false, 0, new EpochHistory(LogEnd.EMPTY))
        : new LogHistory(in.getLong(), in.getInt() != 0, in.getLong(), EpochHistory.decode(in));
  }

  /** In a buffer of {@link LogMeta#value}. */
  ByteBuffer encode() {
    ByteBuffer out = LogMeta.value(Integer.BYTES + Long.BYTES * 2 + epochs.bytes());
    out.putLong(generation).putInt(awaitsSnapshot ? 1 : 0).putLong(start);
    epochs.encode(out);
    return out;
  }
}
