package dev.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.protocol.LogEnd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much of the log a start after a crash has to read. */
class JeLogCheckpointTest {
  private static final int BATCH_BYTES = 128 << 10;

  @TempDir Path directory;

  @Test
  void aSnapshotBoundsWhatIsRead() throws IOException {
    Path live = directory.resolve("live");
    long before;
    long after;
    try (JeTransactionLog log = JeTransactionLog.open(live)) {
      append(log, 16 << 20);
      before = lastCheckpoint(copy(live, "before"));
      snapshot(log);
      after = lastCheckpoint(copy(live, "after"));
      assertThat(after).isGreaterThan(before);

      append(log, 1 << 20);
      snapshot(log);
      assertThat(lastCheckpoint(copy(live, "soon"))).as("little was written").isEqualTo(after);
    }
  }

  private static void append(JeTransactionLog log, int bytes) {
    for (int written = 0; written < bytes; written += BATCH_BYTES) {
      log.append(TestBatches.batch(1, log.end().position(), 1, BATCH_BYTES));
    }
    log.force(AckLevel.PERSISTED);
  }

  private static void snapshot(JeTransactionLog log) throws IOException {
    LogEnd end = log.end();
    log.saveSnapshot(end, state -> state.writeLong(0));
    assertThat(log.snapshot()).isEqualTo(end);
  }

  /** What a process that is killed now leaves behind. */
  private Path copy(Path live, String name) throws IOException {
    Path copy = Files.createDirectory(directory.resolve(name));
    try (Stream<Path> files = Files.list(live)) {
      for (Path file : List.of(files.toArray(Path[]::new))) {
        if (file.toString().endsWith(".jdb")) {
          Files.copy(file, copy.resolve(file.getFileName()));
        }
      }
    }
    return copy;
  }

  /** The place in the log, in order, at which a recovery begins to read. */
  private static long lastCheckpoint(Path log) {
    EnvironmentConfig readOnly = new EnvironmentConfig().setReadOnly(true).setTransactional(true);
    try (Environment environment = new Environment(log.toFile(), readOnly)) {
      return environment.getStats(null).getLastCheckpointStart();
    }
  }
}
