package dev.weir.queue.je;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.StoreStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFilesTest {
  @TempDir private Path work;

  @Test
  void theFilesOfADirectoryThatCannotBeListedAreThoseThatWereFoundLast() throws IOException {
    Path directory = Files.createDirectory(work.resolve("data"));
    QueueStoreOptions options = new QueueStoreOptions(directory);
    LogFiles.Usage usage = new LogFiles.Usage();
    Files.writeString(directory.resolve("00000000.jdb"), "12345");
    StoreStats before = usage.stats(options, null);
    Files.move(directory, work.resolve("away"));
    // A file cannot be listed, and is there.
    Files.createFile(directory);

    StoreStats unlisted = usage.stats(options, null);

    assertThat(unlisted.logFiles()).isEqualTo(before.logFiles()).isEqualTo(1);
    assertThat(unlisted.logBytes()).isEqualTo(before.logBytes()).isEqualTo(5);
    Files.delete(directory);
    assertThat(usage.stats(options, null).logFiles()).isZero();
  }
}
