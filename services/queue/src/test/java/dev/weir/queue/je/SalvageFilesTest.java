package dev.weir.queue.je;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SalvageFilesTest {
  private static final String LOG = "00000000.jdb";

  @TempDir private Path directory;

  private String log(String where) throws IOException {
    return Files.readString(directory.resolve(where).resolve(LOG));
  }

  @Test
  void everyLogThatWasReplacedIsKept() throws IOException {
    Files.writeString(directory.resolve(LOG), "first");
    for (String next : new String[] {"second", "third", "fourth"}) {
      SalvageFiles files = new SalvageFiles(directory);
      Files.writeString(files.begin().resolve(LOG), next);
      files.replace();
      assertThat(log(".")).isEqualTo(next);
    }
    assertThat(log("damaged")).isEqualTo("third");
    assertThat(log("damaged.2")).isEqualTo("second");
    assertThat(log("damaged.1")).isEqualTo("first");
  }

  /** It would be behind the end of the new log, and the store would be refused. */
  @Test
  void aFileThatJeHasRenamedIsKeptWithTheOldLog() throws IOException {
    Files.write(directory.resolve("0000002b.jdb"), new byte[100]);
    for (String moved : List.of("0000002a.bad", "0000002a.bad.1")) {
      Files.write(directory.resolve(moved), new byte[100]);
    }
    LogFiles.requireEnd(directory);
    SalvageFiles files = new SalvageFiles(directory);
    Files.writeString(files.begin().resolve(LOG), "new");
    files.replace();
    assertThat(log(".")).isEqualTo("new");
    LogFiles.requireEnd(directory);
    for (String old : List.of("0000002a.bad", "0000002a.bad.1", "0000002b.jdb")) {
      assertThat(directory.resolve("damaged").resolve(old)).exists();
    }
  }
}
