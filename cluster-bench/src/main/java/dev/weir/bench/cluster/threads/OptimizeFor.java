package dev.weir.bench.cluster.threads;

import dev.weir.bench.program.Names;
import dev.weir.cluster.GroupOptions;

/** What a processor is configured for: its threads, and how messages gather in batches. */
public enum OptimizeFor {
  /** A message does not wait for the batch before it: many batches may be unacknowledged. */
  LATENCY(64 << 10, 64),
  /** One batch is replicated and written while the next one gathers as much as comes. */
  THROUGHPUT(256 << 10, 2);

  private final int batchBytes;
  private final int maxBatches;

  OptimizeFor(int batchBytes, int maxBatches) {
    this.batchBytes = batchBytes;
    this.maxBatches = maxBatches;
  }

  /** Sets the options of a group that say how messages gather in batches. */
  public GroupOptions batches(GroupOptions group) {
    return group.setBatchBytes(batchBytes).setMaxBatches(maxBatches);
  }

  /** The other one of the two. */
  public OptimizeFor other() {
    return this == LATENCY ? THROUGHPUT : LATENCY;
  }

  @Override
  public String toString() {
    return Names.of(this);
  }
}
