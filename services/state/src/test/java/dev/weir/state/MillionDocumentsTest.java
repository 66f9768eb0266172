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

  /** Creates and reads them in one process, and reads them again in the next one. */
  private void live(String heap, int documents) {
    String data = directory.resolve("documents").toString();
    run(heap, data, "" + documents, "create");
    run(heap, data, "" + documents);
  }

  private static void run(String heap, String... args) {
    try (ChildJvm child = ChildJvm.of(MillionChild.class).flags(heap).start(args)) {
      Await.until(() -> "the child ends: " + child.lines(), 25 * 60, () -> !child.isAlive());
      String said = String.join("\n", child.lines());
      assertThat(child.exitCode()).as(said).isZero();
      System.out.println("MillionDocumentsTest: " + said);
      assertThat(child.lines())
          .contains("wrong by key 0;", "wrong in pages 0;", "wrong by equality 0;")
          .contains("counted " + args[1] + ";");
    }
  }
}
