package dev.weir.cluster.log;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The history of a group as one replica holds it: batches ({@link Batch}), snapshots and the {@link
 * GroupRecord}. Two replicas that hold the same history hold the same bytes.
 *
 * <p>One thread at a time; {@link #read} and the methods on snapshots may run beside the others.
 */
public interface TransactionLog extends AutoCloseable {

  /** Takes batches as they are read. */
  @FunctionalInterface
  interface BatchHandler {
    /**
     * One whole batch, from position to limit; valid during the call.
     *
     * @return false to stop
     */
    boolean onBatch(ByteBuffer batch);
  }

  /** Writes a snapshot. */
  @FunctionalInterface
  interface SnapshotWriter {
    void write(DataOutput out) throws IOException;
  }

  /** Reads a snapshot. */
  @FunctionalInterface
  interface SnapshotReader {
    void read(DataInput in) throws IOException;
  }

  /** Position of the first message it still has; {@link #end()} if it has none. */
  long start();

  LogEnd end();

  /**
   * Appends a batch in memory.
   *
   * @param batch from position to limit, which stay as they are
   * @throws IllegalArgumentException if it does not start at the end, or its epoch is below the
   *     last
   */
  void append(ByteBuffer batch);

  /** Brings everything appended as far as asked; blocks for it. */
  void force(AckLevel level);

  /**
   * The end of the history up to and including an epoch: {@link #end()} if the log ends in that
   * epoch or a lower one, {@link LogEnd#EMPTY} if it knows nothing of so old a one.
   */
  LogEnd endOf(long epoch);

  /**
   * Forgets everything from a position on, which must be the start of a batch or the end, and
   * snapshots after it; on disk when this returns.
   */
  void truncate(long position);

  /**
   * Reads batches in order, from the one that starts at a position. Ends early if what comes next
   * is trimmed, cut off or replaced meanwhile.
   *
   * @throws IllegalArgumentException if none starts there
   */
  void read(long position, BatchHandler handler);

  /**
   * Forgets batches before the latest snapshot that is from a position or from before it. Without
   * such a snapshot nothing: wherever the log is truncated, there is a snapshot to rebuild the
   * state from, or all batches are there.
   */
  void trim(long position);

  /**
   * Replaces the history by nothing that starts at an end; for a snapshot received, which must be
   * saved next: a log without it is empty when it is opened again.
   */
  void reset(LogEnd end);

  /**
   * Stores the state at an end of the history; forced. The last two are kept, and the one that the
   * batches start from. Not stored if the history does not have that end any more when the snapshot
   * is complete.
   */
  void saveSnapshot(LogEnd end, SnapshotWriter writer) throws IOException;

  /** Where the last complete snapshot is from; {@link LogEnd#EMPTY} if there is none. */
  LogEnd snapshot();

  /** Reads the last snapshot; does nothing if there is none. */
  void readSnapshot(SnapshotReader reader) throws IOException;

  /** {@link GroupRecord#NONE} at first. */
  GroupRecord record();

  /** Stores the record; forced to the device. */
  void save(GroupRecord record);

  /** Bytes on disk; 0 without disk. */
  long diskBytes();

  @Override
  void close();
}
