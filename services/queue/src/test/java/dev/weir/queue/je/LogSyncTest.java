package dev.weir.queue.je;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which file of a log is forced to the device. */
class LogSyncTest {
  @TempDir Path directory;

  @BeforeEach
  void begin() throws IOException {
    create(4);
  }

  private void create(long number) throws IOException {
    Files.write(directory.resolve(LogFiles.name(number)), new byte[10]);
  }

  @Test
  void theFileInWhichTheLogEndsIsForced() throws IOException {
    try (LogFiles.Sync sync = new LogFiles.Sync(directory)) {
      sync.force(4);
      assertThat(sync.number()).isEqualTo(4);
      create(5);
      sync.force(5);
      assertThat(sync.number()).isEqualTo(5);
    }
  }

  @Test
  void theNewestFileIsForcedIfManyHaveComeAndGone() throws IOException {
    try (LogFiles.Sync sync = new LogFiles.Sync(directory)) {
      create(9);
      sync.force(9);
      assertThat(sync.number()).isEqualTo(9);
      create(12);
      sync.force();
      assertThat(sync.number()).isEqualTo(12);
    }
  }

  @Test
  void aFileThatIsNotThereYetHasNothingToForce() throws IOException {
    try (LogFiles.Sync sync = new LogFiles.Sync(directory)) {
      sync.force(5);
      assertThat(sync.number()).isEqualTo(4);
      create(5);
      sync.force(5);
      assertThat(sync.number()).isEqualTo(5);
    }
  }
}
