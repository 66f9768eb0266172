package dev.weir.bench.cluster.injection;

import dev.weir.bench.program.Latencies;
import dev.weir.bench.record.Recording;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Latencies from when a message should have been sent to when its reply was seen. All of them go
 * into a histogram; the first of them, if asked for, are also kept in memory one by one until the
 * run is over.
 */
public final class MessageLatencies {
  private final Recording recording = Recording.singleWriter();
  private final long[] eachNs;
  private int recorded;

  /**
   * A recorder.
   *
   * @param kept how many latencies are kept one by one; later ones go to the histogram alone
   */
  public MessageLatencies(int kept) {
    eachNs = new long[kept];
  }

  /** Takes the latency of the next message that was replied to; allocates nothing. */
  void record(long latencyNs) {
    recording.record(latencyNs);
    if (recorded < eachNs.length) {
      eachNs[recorded++] = latencyNs;
    }
  }

  public Recording recording() {
    return recording;
  }

  /** Writes those that were kept: nanoseconds as big-endian 8-byte integers. */
  public void write(Path file) throws IOException {
    try (Latencies latencies = new Latencies(file)) {
      for (int i = 0; i < recorded; i++) {
        latencies.record(eachNs[i]);
      }
    }
  }
}
