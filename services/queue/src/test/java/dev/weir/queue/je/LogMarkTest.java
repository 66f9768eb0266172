package dev.weir.queue.je;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sleepycat.je.DatabaseEntry;
import dev.weir.queue.Durability;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueStoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mark of how far the log had come, after a kill. */
class LogMarkTest {
  @TempDir private Path directory;

  private Path data() {
    return directory.resolve("data");
  }

  private JeFiles open() throws IOException {
    Files.createDirectories(data());
    JeFiles files = new JeFiles(new QueueStoreOptions(data()).setMinFreeBytes(1 << 20));
    files.open();
    return files;
  }

  /** Whether a log that is killed now has less than its mark says. */
  private boolean killedIsShorter() throws IOException {
    Path killed = Files.createTempDirectory(directory, "killed");
    Files.copy(data().resolve(LogMark.FILE), killed.resolve(LogMark.FILE));
    for (Path log : LogFiles.of(data())) {
      Files.copy(log, killed.resolve(log.getFileName()));
    }
    LogMark.Content mark = LogMark.read(killed);
    assertThat(mark).isNotNull();
    return LogMark.isShorter(killed, mark);
  }

  @Test
  void aKillRightAfterAnOpeningDoesNotLookLikeALostEnd() throws IOException {
    for (int i = 0; i < 3; i++) {
      try (JeFiles files = open()) {
        assertThat(files.isValid()).isTrue();
        assertThat(killedIsShorter()).as("opening %d", i).isFalse();
      }
    }
  }

  @Test
  void aTransactionThatWritesNothingDoesNotTakeWhatIsBufferedForWritten() throws IOException {
    try (JeFiles files = open()) {
      DatabaseEntry entry = new DatabaseEntry(new byte[100]);
      QueueTables.transact(
          files, Durability.NONE, transaction -> files.meta().put(transaction, entry, entry));
      QueueTables.transact(files, Durability.PROCESS, transaction -> {});
      assertThat(killedIsShorter()).isFalse();
    }
  }

  @Test
  void aStoreWhoseMarkCannotBeOpenedIsNotOpened() throws IOException {
    open().close();
    Path mark = data().resolve(LogMark.FILE);
    byte[] content = Files.readAllBytes(mark);
    Files.delete(mark);
    // Any failure to open it, such as the want of a file descriptor.
    Files.createSymbolicLink(mark, mark);
    assertThatThrownBy(this::open)
        .isInstanceOf(QueueException.class)
        .hasMessageStartingWith("cannot open the store in " + data())
        .hasMessageContaining(LogMark.FILE);
    Files.delete(mark);
    Files.write(mark, content);
    open().close();
  }
}
