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
    int exitCode =
        new PersistenceBench()
            .execute(
                "--scenario",
                "peer-documents",
                "--set",
                "scale=0.05",
                "--out",
                directory.toString());

    assertThat(exitCode).isEqualTo(ExitCodes.OK);
    assertThat(directory.resolve("results.csv"))
        .content()
        .contains("put-memory", "put-persisted", "post-persisted", "http-put-memory", "xenon", "weir");
  }

  @Test
  void aDocumentTakesHeapInEachPlace() {
    int exitCode =
        new PersistenceBench()
            .execute(
                "--scenario",
                "peer-footprint",
                "--set",
                "scale=0.25",
                "--out",
                directory.toString());

    assertThat(exitCode).isEqualTo(ExitCodes.OK);
    assertThat(directory.resolve("results.csv"))
        .content()
        .contains(
            "memory,weir", "memory,xenon", "resident,weir", "resident,xenon", "paused,weir",
            "paused,xenon");
  }
}
