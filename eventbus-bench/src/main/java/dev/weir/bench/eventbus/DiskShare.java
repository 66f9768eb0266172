package dev.weir.bench.eventbus;

import dev.weir.bench.report.RowBuilder;
import dev.weir.bench.verify.Verdict;
import dev.weir.flow.ServiceStats;

/**
 * The disk tier's part of some requests.
 *
 * @param requests all requests
 * @param spilled of these, those that went to the disk tier
 * @param written of these, those that were really written to files
 * @param writtenBytes bytes of the packets that were written
 */
record DiskShare(long requests, long spilled, long written, long writtenBytes) {
  private static final double PERCENT = 100;

  /** What happened between two moments. */
  static DiskShare between(ServiceStats before, ServiceStats after, long requests) {
    return new DiskShare(
        requests,
        after.spilled() - before.spilled(),
        after.written() - before.written(),
        after.writtenBytes() - before.writtenBytes());
  }

  double spilledShare() {
    return (double) spilled / requests;
  }

  double writtenShare() {
    return (double) written / requests;
  }

  /** Whether the disk tier was used at all, down to its files. */
  Verdict verdict() {
    return Verdict.ok()
        .unless(spilled > 0, "nothing went to the disk tier")
        .unless(written > 0, "nothing was written to disk");
  }

  RowBuilder addTo(RowBuilder row) {
    return row.column("disk%", PERCENT * spilledShare())
        .column("JE%", PERCENT * writtenShare())
        .extra("diskTierShare", spilledShare())
        .extra("writtenShare", writtenShare())
        .extra("writtenBytes", writtenBytes)
        .extra("writeBufferBytes", RequestPath.WRITE_BUFFER_BYTES)
        .extra("memoryTierMessages", RequestPath.OVERFLOW_MEMORY_MESSAGES);
  }
}
