package dev.weir.cluster.log;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The log of one replica of a group: its batches ({@link Batch}), snapshots and {@link
 * GroupRecord}. Two replicas with the same history have the same bytes.
 *
 * <p>One thread at a time may call it, except that {@link #read} and the methods on snapshots may
 * run beside the others.
 */
public interface TransactionLog extends AutoCloseable {
  /** {@value}: begins the objects of a state in a snapshot, before their number. */
  int OBJECTS_FORMAT = 1;

  /** Handles batches that are read. */
  @FunctionalInterface
  interface BatchHandler {
    /**
     * Handles one batch, from position to limit; the buffer is valid during the call only.
     *
     * @return false to stop reading
     */
    boolean onBatch(ByteBuffer batch);
  }

  /** Writes the content of a snapshot. */
  @FunctionalInterface
  interface SnapshotWriter {
    void write(DataOutput out) throws IOException;
  }

  /** Reads the content of a snapshot. */
  @FunctionalInterface
  interface SnapshotReader {
    void read(DataInput in) throws IOException;
  }

  /** Position of the first message that the log has; that of {@link #end()} if it has none. */
  long start();

  /** Epoch of the last message and the position after it. */
  LogEnd end();

  /**
   * Appends a batch; it is not durable before {@link #force}.
   *
   * @param batch from position to limit, which stay unchanged
   * @throws IllegalArgumentException if the batch does not start at the end, or its epoch is lower
   *     than the last one
   */
  void append(ByteBuffer batch);

  /** Makes everything appended as durable as {@code level} says; blocks. */
  void force(AckLevel level);

  /**
   * The end of the history up to and including an epoch. This is {@link #end()} if the log ends in
   * that epoch or a lower one, and {@link LogEnd#EMPTY} if the log starts after that epoch.
   */
  LogEnd endOf(long epoch);

  /**
   * Whether the log can be truncated at a position: a batch starts there, or the log ends there.
   * Two logs with the same history have the same batches, so a common end of theirs is such a
   * position.
   */
  boolean isBoundary(long position);

  /**
   * Truncates the log at a position, and removes snapshots after it; forced to the device.
   *
   * @param position for which {@link #isBoundary} is true
   * @throws IllegalArgumentException if it is not
   */
  void truncate(long position);

  /**
   * Reads batches in order, from the one that starts at a position. Stops early if the next batch
   * is trimmed, truncated or replaced meanwhile.
   *
   * @throws IllegalArgumentException if no batch starts there
   */
  void read(long position, BatchHandler handler);

  /**
   * Forgets the batches before the latest snapshot at or before a position; does nothing without
   * such a snapshot. So the state can always be rebuilt, wherever the log is truncated.
   */
  void trim(long position);

  /**
   * Replaces the log by an empty one that starts at an end. The snapshot at that end must be saved
   * next; without it the log is empty from position 0 on when it is opened again.
   */
  void reset(LogEnd end);

  /**
   * Saves a snapshot of the state at an end of the history; forced to the device. The log keeps the
   * last two snapshots, and the one at which the batches start. The snapshot is discarded if the
   * history does not contain that end any more when it is complete.
   */
  void saveSnapshot(LogEnd end, SnapshotWriter writer) throws IOException;

  /** The end at which the last snapshot was taken; {@link LogEnd#EMPTY} if there is none. */
  LogEnd snapshot();

  /** Reads the last snapshot; does nothing if there is none. */
  void readSnapshot(SnapshotReader reader) throws IOException;

  /**
   * Reads the last snapshot for another replica; does nothing if there is none. The objects of
   * {@link #objects} follow, of which the snapshot itself has only a number at its end. The reader
   * gets a {@link SnapshotGoneException} if the log is truncated or replaced meanwhile.
   */
  default void copySnapshot(SnapshotReader reader) throws IOException {
    readSnapshot(reader);
  }

  /** Takes bytes that are to become a snapshot; one spool at a time. */
  default Spool spool() {
    return new ChunkedBytes();
  }

  /**
   * Objects on the disk of this log. Once there are some, they are part of its snapshots.
   *
   * @param begins whether there are to be some from now on
   * @return null if there are none, or the log has no disk
   */
  default StoredObjects objects(boolean begins) {
    return null;
  }

  /**
   * Whoever used the log or its objects may have hidden a failure; so it is asked before something
   * is made of what they gave.
   *
   * @throws LogException if the log can no longer be used
   */
  default void checkUsable() {}

  /** The stored record; {@link GroupRecord#NONE} at first. */
  GroupRecord record();

  /** Stores the record and forces it to the device. */
  void save(GroupRecord record);

  /** A random number that names this log; another one for each new log. */
  long diskId();

  /** Bytes on disk; 0 if the log has no disk. */
  long diskBytes();

  @Override
  void close();
}
