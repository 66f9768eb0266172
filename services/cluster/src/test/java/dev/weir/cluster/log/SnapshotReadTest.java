package dev.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotReadTest {
  private static final long FIRST = 77;

  /** The last two, the one at which the batches start, and the one that is read. */
  private static final int KEPT = 4;

  @TempDir private Path directory;

  private static void save(JeTransactionLog log, long content) throws IOException {
    TestBatches.append(log, 1, log.end().position() + 2);
    log.saveSnapshot(log.end(), out -> out.writeLong(content));
    log.trim(log.end().position());
  }

  @Test
  void whileASnapshotIsReadOthersAreRemoved() throws IOException {
    SharedEnvironment environment = new SharedEnvironment(directory);
    environment.use();
    try (JeTransactionLog log = JeTransactionLog.open(environment, "")) {
      save(log, FIRST);
      log.readSnapshot(
          in -> {
            for (int i = 0; i < 10; i++) {
              save(log, i);
            }
            assertThat(environment.names("snapshot.")).hasSizeLessThanOrEqualTo(KEPT);
            assertThat(in.readLong()).isEqualTo(FIRST);
          });
      save(log, 1);
      assertThat(environment.names("snapshot.")).hasSizeLessThan(KEPT);
    }
  }
}
