package dev.weir.bench.persistence;

import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What is left of a queue's files when its backlog is gone.
 *
 * @param bytes of the directory, some time later
 * @param verdict of all that went through the queue
 */
record DrainedDisk(long bytes, Verdict verdict) {
  /** For JE's cleaner, which looks every 2 s when nothing is written, and checkpoints later. */
  private static final long PATIENCE_MS = 12_000;

  /** Takes the backlog and waits a while for the files to shrink to a quarter of the budget. */
  static DrainedDisk of(QueueStage stage, Path directory, long backlog, long budgetBytes)
      throws IOException, InterruptedException {
    stage.drain(backlog);
    Verdict verdict = stage.verdict();
    return new DrainedDisk(DiskWatch.awaitAtMost(directory, budgetBytes / 4, PATIENCE_MS), verdict);
  }
}
