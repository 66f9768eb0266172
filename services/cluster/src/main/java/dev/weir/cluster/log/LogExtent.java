package dev.weir.cluster.log;

import dev.weir.cluster.protocol.LogEnd;
import java.nio.ByteBuffer;

/**
 * The extent of a log: the positions where it starts and ends, and the position where each epoch
 * began. One thread at a time changes it; readers of the log may call the getters meanwhile.
 */
final class LogExtent {
  private final EpochHistory epochs;
  private volatile long start;
  private volatile long end;

  /** Changes when a truncation or a replacement of the log begins and when it ends. */
  private volatile long version;

  LogExtent(long start, EpochHistory epochs) {
    this.start = start;
    this.end = start;
    this.epochs = epochs;
  }

  /** Position of the first message; batches before it are forgotten but maybe not yet deleted. */
  long start() {
    return start;
  }

  /** Position after the last message. */
  long end() {
    return end;
  }

  LogEnd logEnd() {
    return new LogEnd(epochs.epoch(), end);
  }

  EpochHistory epochs() {
    return epochs;
  }

  /** A reader that finds another version than before stops: what it reads may have been cut. */
  long version() {
    return version;
  }

  /**
   * Checks that a batch is complete and continues this log.
   *
   * @throws IllegalArgumentException if not
   */
  void checkAppend(ByteBuffer batch) {
    checkAppend(batch, epochs.epoch(), end);
  }

  /**
   * Checks that a batch is complete and continues a log with this end.
   *
   * @throws IllegalArgumentException if not
   */
  static void checkAppend(ByteBuffer batch, long endEpoch, long endPosition) {
    int at = batch.position();
    int bytes = batch.remaining();
    if (bytes < Batch.HEADER_BYTES
        || Batch.bytes(batch, at) != bytes
        || Batch.count(batch, at) < 1) {
      throw new IllegalArgumentException(bytes + " bytes are not a complete batch with messages");
    }
    long position = Batch.position(batch, at);
    long epoch = Batch.epoch(batch, at);
    if (position != endPosition || epoch < endEpoch) {
      throw new IllegalArgumentException(
          "a batch of epoch "
              + epoch
              + " at position "
              + position
              + " does not continue a log that ends in epoch "
              + endEpoch
              + " at "
              + endPosition);
    }
  }

  /** Records the epoch of a batch that is about to be appended; returns whether it is a new one. */
  boolean beginEpoch(ByteBuffer batch) {
    long epoch = Batch.epoch(batch, batch.position());
    boolean isNew = epoch > epochs.epoch();
    if (isNew) {
      epochs.begin(epoch, end);
    }
    return isNew;
  }

  /** Moves the end after a batch that was appended. */
  void appended(ByteBuffer batch) {
    end += Batch.count(batch, batch.position());
  }

  /** Sets the end that was found when the log was opened. */
  void recover(long foundEnd) {
    end = foundEnd;
    epochs.truncate(foundEnd);
  }

  /** Moves the start after batches that are forgotten. */
  void trim(long newStart) {
    start = newStart;
  }

  /** Truncates the log at a position; {@code deletion} removes what follows. */
  void truncate(long position, Runnable deletion) {
    version++;
    end = position;
    epochs.truncate(position);
    deletion.run();
    version++;
  }

  /** Replaces the log by an empty one at an end; {@code replacement} exchanges the batches. */
  void reset(LogEnd newEnd, Runnable replacement) {
    version++;
    epochs.reset(newEnd);
    start = newEnd.position();
    end = start;
    replacement.run();
    version++;
  }

  /** See {@link TransactionLog#endOf}. */
  LogEnd endOf(long epoch) {
    return epochs.endOf(epoch, end);
  }

  /** Whether the log contains this end, if a batch starts at its position. */
  boolean holds(LogEnd at) {
    return epochs.holds(at, end);
  }

  IllegalArgumentException noBatchAt(long position) {
    return new IllegalArgumentException(
        "no batch starts at " + position + "; the log goes from " + start + " to " + end);
  }
}
