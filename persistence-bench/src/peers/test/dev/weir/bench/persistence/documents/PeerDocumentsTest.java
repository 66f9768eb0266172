package dev.weir.bench.persistence.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.ExitCodes;
import dev.weir.bench.persistence.PersistenceBench;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class PeerDocumentsTest {
  @TempDir Path directory;

  @Test
  void everyPutIsAppliedOnceAndEveryPostIsAnswered() {
    assertThat(run("peer-documents", 0.05))
        .content()
        .contains("put-memory", "put-persisted", "post-persisted", "http-put-memory", "xenon", "weir");
  }

  @Test
  void aDocumentTakesHeapInEachPlace() {
    assertThat(run("peer-footprint", 0.25))
        .content()
        .contains(
            "memory,weir", "memory,xenon", "resident,weir", "resident,xenon", "paused,weir",
            "paused,xenon");
  }

  /** Runs the scenario without a fault, and returns its rows. */
  private Path run(String scenario, double scale) {
    int exitCode =
        new PersistenceBench()
            .execute(
                "--scenario",
                scenario,
                "--set",
                "scale=" + scale,
                "--out",
                directory.toString());
    assertThat(exitCode).isEqualTo(ExitCodes.OK);
    return directory.resolve("results.csv");
  }
}
