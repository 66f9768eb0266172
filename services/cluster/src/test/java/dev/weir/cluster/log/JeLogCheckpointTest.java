package dev.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.EnvironmentStats;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
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

  private int copies;

  @Test
  void aSnapshotBoundsWhatIsReadIfMuchWasWritten() throws IOException {
    Path live = directory.resolve("live");
    try (JeTransactionLog log = JeTransactionLog.open(live)) {
      append(log, 16 << 20);
      EnvironmentStats before = checkpoints(live);
      snapshot(log);
      EnvironmentStats after = awaitCheckpoint(live, before);
      append(log, 1 << 20);
      snapshot(log);
      append(log, 16 << 20);
      snapshot(log);
      EnvironmentStats last = awaitCheckpoint(live, after);
      assertThat(last.getLastCheckpointId())
          .as("the second snapshot made none")
          .isEqualTo(after.getLastCheckpointId() + 1);
    }
  }

  /** Waits until a recovery begins to read at a later place. */
  private EnvironmentStats awaitCheckpoint(Path live, EnvironmentStats before) {
    EnvironmentStats[] now = new EnvironmentStats[1];
    Await.until(
        "a checkpoint is made",
        () -> {
          now[0] = checkpoints(live);
          return now[0].getLastCheckpointStart() > before.getLastCheckpointStart();
        });
    return now[0];
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

  /** Of what a process that is killed now leaves behind. */
  private EnvironmentStats checkpoints(Path live) {
    EnvironmentConfig readOnly = new EnvironmentConfig().setReadOnly(true).setTransactional(true);
    try (Environment environment = new Environment(copy(live).toFile(), readOnly)) {
      return environment.getStats(null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path copy(Path live) throws IOException {
    Path copy = Files.createDirectory(directory.resolve("copy" + copies++));
    try (Stream<Path> files = Files.list(live)) {
      for (Path file : List.of(files.toArray(Path[]::new))) {
        if (file.toString().endsWith(".jdb")) {
          Files.copy(file, copy.resolve(file.getFileName()));
        }
      }
    }
    return copy;
  }
}
