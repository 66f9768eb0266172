package dev.weir.cluster.log;

import dev.weir.cluster.protocol.LogEnd;
import java.nio.ByteBuffer;

/**
 * The record that a transaction log stores about its history. It is written when an epoch begins,
 * and when the history is truncated, trimmed or replaced.
 *
 * @param generation names the table of the batches
 * @param awaitsSnapshot whether the snapshot at the start is still to be saved
 * @param start batches before this position are forgotten, but maybe not yet deleted
 * @param epochs the position where each epoch began
 */
record StoredHistory(long generation, boolean awaitsSnapshot, long start, EpochHistory epochs) {
  /** The key of the record. */
  static final String KEY = "history";

  /**
   * Decodes a record.
   *
   * @param in null for a new log
   */
  static StoredHistory decode(ByteBuffer in) {
    return in == null
        ? new StoredHistory(0, false, 0, new EpochHistory(LogEnd.EMPTY))
        : new StoredHistory(in.getLong(), in.getInt() != 0, in.getLong(), EpochHistory.decode(in));
  }

  /** Encodes the record into a buffer of {@link MetaTable#value}. */
  ByteBuffer encode() {
    ByteBuffer out = MetaTable.value(Integer.BYTES + Long.BYTES * 2 + epochs.bytes());
    out.putLong(generation).putInt(awaitsSnapshot ? 1 : 0).putLong(start);
    epochs.encode(out);
    return out;
  }
}
