package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Far more documents than the heap can hold: they wait on disk and come back. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class MillionDocumentsTest {
  @TempDir Path directory;

  @Test
  @Tag("slow")
  void aHundredThousandDocumentsLiveInAHeapOf32Megabytes() {
    live("-Xmx32m", 100_000);
  }

  @Test
  @Tag("soak")
  void aMillionDocumentsLiveInAHeapOf64Megabytes() {
    live("-Xmx64m", 1_000_000);
  }

  private void live(String heap, int documents) {
    String data = directory.resolve("documents").toString();
    try (ChildJvm child = ChildJvm.of(MillionChild.class).flags(heap).start(data, "" + documents)) {
      Await.until(() -> "the child ends: " + child.lines(), 25 * 60, () -> !child.isAlive());
      assertThat(child.exitCode()).as(String.join("\n", child.lines())).isZero();
      System.out.println("MillionDocumentsTest: " + child.lines());
      assertThat(child.hasSaid("wrong in queries 0;")).as("queries").isTrue();
      assertThat(child.hasSaid("wrong 0;")).as(String.join("\n", child.lines())).isTrue();
    }
  }
}
