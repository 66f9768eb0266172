package dev.weir.bench.persistence.program;

import dev.weir.bench.persistence.store.MessageLog;
import dev.weir.bench.program.Latencies;
import java.io.IOException;

/**
 * A sink that appends messages to a log, commits them, and records how long each took to be
 * committed.
 */
final class CommitSink implements MessageSink {
  private final MessageLog log;
  private final boolean early;
  private final Latencies latencies;
  private final long[] startsNs;
  private int open;

  /**
   * @param early whether a commit starts before it is full when no further message is due
   */
  CommitSink(MessageLog log, int perCommit, boolean early, Latencies latencies) {
    this.log = log;
    this.early = early;
    this.latencies = latencies;
    this.startsNs = new long[perCommit];
  }

  @Override
  public void accept(long number, long startNs, byte[] message, boolean moreDue)
      throws IOException {
    log.append(number, message);
    startsNs[open++] = startNs;
    if (open == startsNs.length || early && !moreDue) {
      commit();
    }
  }

  private void commit() throws IOException {
    log.commit();
    long nowNs = System.nanoTime();
    for (int i = 0; i < open; i++) {
      latencies.record(nowNs - startsNs[i]);
    }
    open = 0;
  }

  @Override
  public void finish() throws IOException {
    if (open > 0) {
      commit();
    }
  }
}
