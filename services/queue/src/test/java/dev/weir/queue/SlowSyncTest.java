package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import dev.weir.testing.faults.FaultLayer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Queues of one store on a disk whose syncs are slow. */
@Tag("slow")
class SlowSyncTest {
  /** So long that a hundred appends end before it on a machine that is busy otherwise too. */
  private static final long SYNC_US = 20_000_000;

  @TempDir Path work;

  @Test
  @Timeout(300)
  void appendsForTheProcessDoNotWaitForTheSyncsOfAnotherQueue() throws IOException {
    Path data = Files.createDirectory(work.resolve("data"));
    Path slow = work.resolve("slow");
    FaultLayer layer = FaultLayer.create(work, data);
    ChildJvm.Builder builder =
        ChildJvm.of(SlowSyncChild.class).environment(layer.environment()).mergeErrors();
    try (ChildJvm child = builder.start(data.toString(), slow.toString())) {
      child.await(SlowSyncChild.READY);
      layer.slowSyncs(SYNC_US);
      Files.createFile(slow);
      assertThat(child.await("complete before the sync ")).isEqualTo("100");
    }
  }
}
