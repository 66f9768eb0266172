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
  private static final long SYNC_US = 100_000;

  @TempDir Path work;

  @Test
  @Timeout(300)
  void appendsForTheProcessDoNotWaitForTheSyncsOfAnotherQueue() throws IOException {
    Path data = Files.createDirectory(work.resolve("data"));
    FaultLayer layer = FaultLayer.create(work, data);
    layer.slowSyncs(SYNC_US);
    try (ChildJvm child =
        ChildJvm.of(SlowSyncChild.class).environment(layer.environment()).start(data.toString())) {
      assertThat(child.exitCode()).as("exit code: %s", child.lines()).isZero();
      String last = child.lines().get(child.lines().size() - 1);
      long medianUs = Long.parseLong(last.substring("median ".length()));
      System.out.printf("median of appends beside a flood of syncs: %d us%n", medianUs);
      assertThat(medianUs).isLessThan(SYNC_US / 2);
    }
  }
}
