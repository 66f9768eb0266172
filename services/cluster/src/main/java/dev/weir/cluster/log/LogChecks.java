package dev.weir.cluster.log;

import java.nio.ByteBuffer;

/** What every transaction log refuses, in the same words. */
final class LogChecks {
  private LogChecks() {}

  /** That a batch is whole and continues a log. */
  static void append(ByteBuffer batch, long endEpoch, long endPosition) {
    int at = batch.position();
    int bytes = batch.remaining();
    if (bytes < Batch.HEADER_BYTES
        || Batch.bytes(batch, at) != bytes
        || Batch.count(batch, at) < 1) {
      throw new IllegalArgumentException("no whole batch with messages is in " + bytes + " bytes");
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

  static IllegalArgumentException noBatchAt(long position, long start, long end) {
    return new IllegalArgumentException(
        "no batch starts at " + position + "; the log goes from " + start + " to " + end);
  }
}
