package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A directory after a compaction. */
class CompactedLogTest extends QueueTestBase {
  private static final int MESSAGE = 4_000;
  private static final int KEPT = 220;

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setSegmentThresholdBytes(0);
  }

  @Test
  void itOpensAlsoWhereAllFilesBetweenTheFirstAndTheLastWereInNoUse() throws Exception {
    QueueOptions written = new QueueOptions().setWriteThrough(true);
    try (QueueStore store = openStore();
        DurableQueue<String> kept = openQueue(store, "kept", written, NO_LOSSES);
        DurableQueue<String> handled = openQueue(store, "handled", written, NO_LOSSES)) {
      appendAll(kept, texts(0, KEPT, MESSAGE));
      appendAll(handled, texts(0, 4 * KEPT, MESSAGE));
      new QueueReader<>(handled).drain(4 * KEPT);
      Await.until("all is settled", () -> handled.waiting() == 0);
    }
    long before = LogDamage.logs(directory).size();
    ToolRun.of("compact", directory).ok();
    assertThat(sizeOf(directory)).as("bytes left").isLessThan(2L * KEPT * MESSAGE);
    assertThat(LogDamage.logs(directory)).as("of %d files", before).hasSizeLessThan(5);
    ToolRun.of("compact", directory).ok();
    try (QueueStore store = openStore();
        DurableQueue<String> kept = openQueue(store, "kept", written, NO_LOSSES)) {
      assertThat(new QueueReader<>(kept).drain(KEPT)).hasSize(KEPT);
      appendAll(kept, List.of("one more"));
    }
  }
}
